/**
 * Group commit: writes that are queued at the same moment share one transaction, and so one disk flush. A shared
 * transaction commits as a whole or not at all. When it fails, each of its writes runs again in a transaction of its own,
 * so a failing write does not affect the others.
 */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { isLostRace } from '../connection/database-errors.js'
import { lockSecrets } from '../queries/lock-secrets.js'
import { coalesce, type QueuedCall, settleWith } from './coalesce.js'

/** Limit for the texts in one transaction: servers reject statements of several megabytes. */
const MAX_BATCH_BYTES = 1_000_000

/** A kind of write that can run alone or in a batch. */
export interface BatchableWrite<Input, Output> {
  /** The secret whose row a batch locks first; null when the write creates it. */
  secretId(input: Input): string | null
  /** Writes that share a key never run in the same batch. */
  keys(input: Input): string[]
  /** Size of the texts in the statement. */
  byteLength(input: Input): number
  /** Runs one write in a transaction of its own. */
  runSingle(input: Input): Promise<Output>
  /** Returns a result for each input, or `RUN_SINGLE` for one that must run alone. Throws to roll back the whole batch. */
  runBatch(batch: BatchTransaction, inputs: Input[]): Promise<(Output | typeof RUN_SINGLE)[]>
}

export const RUN_SINGLE = Symbol('run single')

export interface BatchTransaction {
  tx: Knex.Transaction
  /** The locked secrets of these writes, by id. */
  secrets: Map<string, SecretMeta>
}

/** Runs one write. It is committed when the promise resolves. */
export type RunWrite = <Input, Output>(write: BatchableWrite<Input, Output>, input: Input) => Promise<Output>

/** An entry of the queue, which holds writes of every kind. */
interface PendingWrite {
  write: BatchableWrite<unknown, unknown>
  input: unknown
}
type QueuedWrite = QueuedCall<PendingWrite, unknown>

/** `batchSize`: maximum number of writes in one transaction. With 1, each write has a transaction of its own. */
export function createWriteQueue(db: Knex, batchSize: number): RunWrite {
  const enqueue = coalesce<PendingWrite, unknown>({
    takeBatch: (queue) => takeBatch(queue, batchSize),
    runBatch: async (batch) =>
      batch.length > 1 ? runBatch(db, batch) : void (await Promise.all(batch.map(runSingle))),
  })
  return <Input, Output>(write: BatchableWrite<Input, Output>, input: Input) =>
    batchSize === 1
      ? write.runSingle(input)
      : (enqueue({ write: write as PendingWrite['write'], input }) as Promise<Output>)
}

/** Takes the first writes without a common key. Writes with the same key keep their order. */
function takeBatch(queue: QueuedWrite[], batchSize: number): QueuedWrite[] {
  const batch: QueuedWrite[] = []
  const rest: QueuedWrite[] = []
  const usedKeys = new Set<string>()
  let bytes = 0
  for (const queued of queue) {
    const { write, input } = queued.input
    const keys = write.keys(input)
    const total = bytes + write.byteLength(input)
    const hasRoom = batch.length === 0 || (batch.length < batchSize && total <= MAX_BATCH_BYTES)
    if (hasRoom && !keys.some((key) => usedKeys.has(key))) {
      batch.push(queued)
      bytes = total
    } else rest.push(queued)
    for (const key of keys) usedKeys.add(key)
  }
  queue.splice(0, queue.length, ...rest)
  return batch
}

async function runBatch(db: Knex, batch: QueuedWrite[]): Promise<void> {
  let isReadyToCommit = false
  try {
    const results = await db.transaction(async (tx) => {
      const all = await runInTransaction(tx, batch)
      isReadyToCommit = true
      return all
    })
    for (const [queued, result] of results) {
      if (result === RUN_SINGLE) void runSingle(queued)
      else queued.settle(result)
    }
  } catch (error) {
    // When the commit itself failed, other than by a lost race, it may have happened: a second run could apply it twice.
    if (isReadyToCommit && !isLostRace(error)) for (const { settle } of batch) settle(Promise.reject(error))
    else for (const queued of batch) void runSingle(queued)
  }
}

async function runInTransaction(tx: Knex.Transaction, batch: QueuedWrite[]): Promise<Map<QueuedWrite, unknown>> {
  const ids = batch.map(({ input: { write, input } }) => write.secretId(input)).filter((id) => id !== null)
  const secrets = await lockSecrets(tx, ids)
  const results = new Map<QueuedWrite, unknown>()
  for (const write of new Set(batch.map(({ input }) => input.write))) {
    const sameKind = batch.filter(({ input }) => input.write === write)
    const outputs = await write.runBatch(
      { tx, secrets },
      sameKind.map(({ input }) => input.input),
    )
    for (const [index, queued] of sameKind.entries()) results.set(queued, outputs[index])
  }
  return results
}

const runSingle = (queued: QueuedWrite): Promise<void> =>
  settleWith(queued, queued.input.write.runSingle(queued.input.input))
