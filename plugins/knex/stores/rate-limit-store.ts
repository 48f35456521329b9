/**
 * Rate-limit counters in the database, shared by all processes. Calls that are queued at the same moment share one
 * transaction with as many statements as a single call needs; row locks keep the counts exact.
 */
import type { Knex } from 'knex'
import { type ConsumeRequest, type ConsumeResult, type Counter, consumeFrom, type LimitStore } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { createBatchQueue } from '../batching/batch-queue.js'
import {
  beginTransaction,
  commit,
  type Queries,
  rollBack,
  type WriteConnections,
} from '../connection/batch-transaction.js'
import { isDuplicate, isLostRace } from '../connection/database-errors.js'
import { deleteExpired } from '../queries/delete-expired.js'
import type { Row } from '../rows/tables.js'

/** Maximum number of counters in one transaction. */
const MAX_COUNTERS = 250

interface ConsumeCall {
  requests: ConsumeRequest[]
  now: EpochMs
}

/** `batchSize`: maximum number of calls in one transaction. */
export function createRateLimitStore(db: Knex, writers: WriteConnections, batchSize: number): LimitStore {
  const enqueue = createBatchQueue<ConsumeCall, ConsumeResult[]>({
    batchSize,
    takeBatch: (queue) => takeBatch(queue, batchSize),
    run: (calls) => consumeWithRetry(writers, calls),
  })
  return {
    consume: (requests, now) => enqueue({ requests, now }),

    async reset(names) {
      await db('rate_limits').whereIn('name', names).delete()
    },

    deleteExpired: (now, limit) => deleteExpired(db, 'rate_limits', now, limit),
  }
}

function takeBatch<Call extends { input: ConsumeCall }>(queue: Call[], batchSize: number): Call[] {
  let counters = 0
  const firstLeft = queue.findIndex(({ input }, index) => {
    counters += input.requests.length
    return index > 0 && (index >= batchSize || counters > MAX_COUNTERS)
  })
  return queue.splice(0, firstLeft === -1 ? queue.length : firstLeft)
}

async function consumeWithRetry(writers: WriteConnections, calls: ConsumeCall[]): Promise<ConsumeResult[][]> {
  try {
    return await consumeInTransaction(writers, calls)
  } catch (error) {
    if (!isDuplicate(error) && !isLostRace(error)) throw error
    // Another process inserted one of the counters, or a counter next to it. When all of them exist, this cannot happen
    // again.
    const rows = counterNames(calls).map((name) => ({ name, used: 0, ends_at: 0 }))
    await writers.db('rate_limits').insert(rows).onConflict('name').ignore()
    return consumeInTransaction(writers, calls)
  }
}

async function consumeInTransaction(writers: WriteConnections, calls: ConsumeCall[]): Promise<ConsumeResult[][]> {
  const tx = await beginTransaction(writers)
  try {
    const results = await consumeAll(tx, calls)
    await commit(tx)
    return results
  } catch (error) {
    await rollBack(tx)
    throw error
  }
}

async function consumeAll(tx: Queries, calls: ConsumeCall[]): Promise<ConsumeResult[][]> {
  const rows: Row[] = await tx('rate_limits').whereIn('name', counterNames(calls)).orderBy('name').forUpdate()
  const counters = new Map<string, Counter>(
    rows.map(({ name, used, ends_at }) => [name, { used: Number(used), endsAt: Number(ends_at) }]),
  )
  const existing = new Set(counters.keys())
  const changed = new Set<string>()
  const consumeOne = (request: ConsumeRequest, now: number): ConsumeResult => {
    const { result, after } = consumeFrom(counters.get(request.name), request, now)
    if (!after) return result
    changed.add(request.name)
    counters.set(request.name, after)
    return result
  }
  const results = calls.map(({ requests, now }) => requests.map((request) => consumeOne(request, now)))
  const toRows = (names: string[]) =>
    names.map((name) => ({ name, used: counters.get(name)?.used, ends_at: counters.get(name)?.endsAt }))
  const inserted = toRows([...changed].filter((name) => !existing.has(name)))
  const updated = toRows([...changed].filter((name) => existing.has(name)))
  if (inserted.length > 0) await tx('rate_limits').insert(inserted)
  if (updated.length > 0) await tx('rate_limits').insert(updated).onConflict('name').merge()
  return results
}

const counterNames = (calls: ConsumeCall[]): string[] =>
  [...new Set(calls.flatMap(({ requests }) => requests.map(({ name }) => name)))].sort()
