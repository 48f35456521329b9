/**
 * Rate-limit counters in the database, shared by all processes. Calls that are queued at the same moment share one
 * transaction with as many statements as a single call needs; row locks keep the counts exact.
 */
import type { Knex } from 'knex'
import { type Counter, type LimitStore, type Take, type Taken, takeFrom } from '#core'
import { coalesce, type QueuedCall } from '../batching/coalesce.js'
import { isDuplicate, isLostRace } from '../connection/database-errors.js'

/** Maximum number of counters in one transaction. */
const MAX_COUNTERS = 250

interface TakeCall {
  takes: Take[]
  /** Epoch ms. */
  now: number
}

/** `batchSize`: maximum number of calls in one transaction. */
export function createRateLimitStore(db: Knex, batchSize: number): LimitStore {
  const enqueue = coalesce<TakeCall, Taken[]>({
    takeBatch: (queue) => takeBatch(queue, batchSize),
    async runBatch(batch) {
      const running = takeWithRetry(
        db,
        batch.map(({ input }) => input),
      )
      for (const [index, { settle }] of batch.entries()) settle(running.then((all) => all[index] as Taken[]))
      await Promise.allSettled([running])
    },
  })
  return {
    take: (takes, now) => enqueue({ takes, now }),

    async reset(names) {
      await db('limits').whereIn('name', names).delete()
    },

    async sweep(now, limit) {
      const ended = db('limits').where('ends_at', '<=', now)
      const names = await ended.clone().orderBy('ends_at').limit(limit).pluck('name')
      return names.length === 0 ? 0 : ended.whereIn('name', names).delete()
    },
  }
}

function takeBatch(queue: QueuedCall<TakeCall, Taken[]>[], batchSize: number): QueuedCall<TakeCall, Taken[]>[] {
  let counters = 0
  const firstLeft = queue.findIndex(({ input }, index) => {
    counters += input.takes.length
    return index > 0 && (index >= batchSize || counters > MAX_COUNTERS)
  })
  return queue.splice(0, firstLeft === -1 ? queue.length : firstLeft)
}

async function takeWithRetry(db: Knex, calls: TakeCall[]): Promise<Taken[][]> {
  const run = () => db.transaction((tx) => takeInTransaction(tx, calls))
  try {
    return await run()
  } catch (error) {
    if (!isDuplicate(error) && !isLostRace(error)) throw error
    // Another process inserted one of the counters, or one next to it. When all of them exist, that cannot happen again.
    const rows = counterNames(calls).map((name) => ({ name, used: 0, ends_at: 0 }))
    await db('limits').insert(rows).onConflict('name').ignore()
    return run()
  }
}

async function takeInTransaction(tx: Knex.Transaction, calls: TakeCall[]): Promise<Taken[][]> {
  const rows = await tx('limits').whereIn('name', counterNames(calls)).orderBy('name').forUpdate()
  const counters = new Map<string, Counter>(
    rows.map(({ name, used, ends_at }) => [name, { used: Number(used), endsAt: Number(ends_at) }]),
  )
  const existing = new Set(counters.keys())
  const changed = new Set<string>()
  const takeOne = (take: Take, now: number): Taken => {
    const { taken, after } = takeFrom(counters.get(take.name), take, now)
    if (!after) return taken
    changed.add(take.name)
    counters.set(take.name, after)
    return taken
  }
  const results = calls.map(({ takes, now }) => takes.map((take) => takeOne(take, now)))
  const toRows = (names: string[]) =>
    names.map((name) => ({ name, used: counters.get(name)?.used, ends_at: counters.get(name)?.endsAt }))
  const inserted = toRows([...changed].filter((name) => !existing.has(name)))
  const updated = toRows([...changed].filter((name) => existing.has(name)))
  if (inserted.length > 0) await tx('limits').insert(inserted)
  if (updated.length > 0) await tx('limits').insert(updated).onConflict('name').merge()
  return results
}

const counterNames = (calls: TakeCall[]): string[] =>
  [...new Set(calls.flatMap(({ takes }) => takes.map(({ name }) => name)))].sort()
