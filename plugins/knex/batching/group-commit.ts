/**
 * Group commit: writes that arrive while a transaction runs share the next one, and so one disk flush. An idle queue
 * runs at once. A transaction commits as a whole or not at all. When a transaction of several writes fails, each of them
 * runs again in a batch of its own, so a failing write does not affect the others.
 */

import { type BatchQueries, runTransaction, type WriteConnections } from '../connection/batch-transaction.js'
import { isConstraint, isDiskFull, isLostRace } from '../connection/database-errors.js'
import { type BatchStatements, createBatchStatements } from '../queries/batch-statements.js'
import { type LockedSecret, lockSecrets, toLocked } from '../queries/lock-secrets.js'
import { createSingleStatements, type SingleStatements } from '../queries/single-statements.js'
import { coalesce, type QueuedCall } from './coalesce.js'

/** Limit for the texts in one transaction: servers reject statements of several megabytes. */
const MAX_BATCH_BYTES = 1_000_000

/** A kind of write that runs in batches. */
export interface BatchableWrite<Input, Output> {
  /** The secret whose row the transaction locks first; null when the write creates it. */
  secretId(input: Input): string | null
  /** True when `runBatch` needs the texts of the locked secrets. */
  readsText?: boolean
  /** Writes that share a key never run in the same batch. */
  keys(input: Input): string[]
  /** Size of the texts in the statement. */
  byteLength(input: Input): number
  /** Returns a result for each input. Throws to roll back the whole batch. */
  runBatch(batch: BatchTransaction, inputs: Input[]): Promise<Output[]>
  /** Runs a batch without a transaction. Null: it needs one. Fails with SQLITE_CONSTRAINT if it may succeed in one. */
  runAtOnce?(single: SingleStatements, inputs: Input[]): Promise<Output[] | null>
  /** Called after the rollback of a batch with this input only. Returns its result, or throws. */
  recover?(input: Input, error: unknown): Promise<Output>
}

export interface BatchTransaction {
  tx: BatchQueries
  statements: BatchStatements
  /** The locked secrets of these writes, by id. */
  secrets: Map<string, LockedSecret>
}

/** What batches run on. */
export interface WriteTarget {
  connections: WriteConnections
  statements: BatchStatements
  /** Null: every batch takes a transaction. */
  single: SingleStatements | null
}

export function createWriteTarget(connections: WriteConnections, hasTriggers = false): WriteTarget {
  const statements = createBatchStatements(connections.db)
  return { connections, statements, single: hasTriggers ? createSingleStatements(connections.db, statements) : null }
}

/** Runs one write. It is committed when the promise resolves. */
export type RunWrite = <Input, Output>(write: BatchableWrite<Input, Output>, input: Input) => Promise<Output>

/** An entry of the queue, which holds writes of every kind. */
interface PendingWrite<Input = unknown, Output = unknown> {
  write: BatchableWrite<Input, Output>
  input: Input
}
type QueuedWrite = QueuedCall<PendingWrite, unknown>

/** `batchSize`: maximum number of writes in one transaction. With 1, writes do not wait for each other. */
export function createWriteQueue(target: WriteTarget, batchSize: number): RunWrite {
  const enqueue = coalesce<PendingWrite, unknown>({
    takeBatch: (queue) => takeBatch(queue, batchSize),
    run: (writes) => runBatch(target, writes),
  })
  return <Input, Output>(write: BatchableWrite<Input, Output>, input: Input) => {
    const pending = { write: write as PendingWrite['write'], input }
    return (batchSize === 1 ? runSingle(target, pending) : enqueue(pending)) as Promise<Output>
  }
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

/** Null: the transaction was rolled back, so each write can run again. */
async function runBatch(target: WriteTarget, writes: PendingWrite[]): Promise<unknown[] | null> {
  const [first] = writes
  if (first && writes.length === 1) return [await runSingle(target, first)]
  let isReadyToCommit = true
  try {
    const results = await runAtOnce(target, writes)
    if (results) return results
    isReadyToCommit = false
    const markReady = () => {
      isReadyToCommit = true
    }
    return await runTransaction(target.connections, (tx) => runInTransaction(tx, target, writes), markReady)
  } catch (error) {
    // When the commit itself failed, other than by a lost race, it may have happened: a second run could apply it
    // twice.
    if (isReadyToCommit && !isLostRace(error)) throw error
    return null
  }
}

/**
 * Runs writes of one kind without a transaction. Null: they need one. It also tells which of them fails, when the
 * database has undone the statement.
 */
async function runAtOnce({ single }: WriteTarget, writes: PendingWrite[]): Promise<unknown[] | null> {
  const [first] = writes
  const write = first?.write
  if (!single || !write?.runAtOnce || writes.some((other) => other.write !== write)) return null
  try {
    return await write.runAtOnce(
      single,
      writes.map(({ input }) => input),
    )
  } catch (error) {
    if (isConstraint(error) || isDiskFull(error)) return null
    throw error
  }
}

/** Runs a write in a batch of its own. */
export async function runSingle<Input, Output>(
  target: WriteTarget,
  pending: PendingWrite<Input, Output>,
): Promise<Output> {
  const { write, input } = pending
  try {
    const [done] = (await runAtOnce(target, [pending as PendingWrite])) ?? []
    if (done !== undefined) return done as Output
    const work = (tx: BatchQueries) => runInTransaction(tx, target, [pending as PendingWrite])
    const [result] = await runTransaction(target.connections, work)
    return result as Output
  } catch (error) {
    if (!write.recover) throw error
    return write.recover(input, error)
  }
}

/** Returns the results in the order of `writes`. */
async function runInTransaction(
  tx: BatchQueries,
  { statements }: WriteTarget,
  writes: PendingWrite[],
): Promise<unknown[]> {
  const ids = writes.flatMap(({ write, input }) => write.secretId(input) ?? [])
  const readsTexts = writes.some(({ write }) => write.readsText)
  const secrets = readsTexts ? toLocked(await statements.lockWithTexts(tx, ids)) : await lockSecrets(tx, ids)
  const results = new Map<PendingWrite, unknown>()
  for (const write of new Set(writes.map((pending) => pending.write))) {
    const sameKind = writes.filter((pending) => pending.write === write)
    const outputs = await write.runBatch(
      { tx, statements, secrets },
      sameKind.map(({ input }) => input),
    )
    for (const [index, pending] of sameKind.entries()) results.set(pending, outputs[index])
  }
  return writes.map((pending) => results.get(pending))
}
