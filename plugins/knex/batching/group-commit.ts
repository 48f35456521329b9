/**
 * Group commit: writes that arrive while a transaction runs share the next one, and so one disk flush. An idle queue
 * runs at once. A transaction commits as a whole or not at all. When a transaction of several writes fails, each of
 * them runs again in its own batch, so a failing write does not affect the others.
 */

import {
  beginTransaction,
  commit,
  type OpenTransaction,
  rollBack,
  runAll,
  type WriteConnections,
} from '../connection/batch-transaction.js'
import { isConstraint, isDiskFull } from '../connection/database-errors.js'
import { type BatchStatements, createBatchStatements } from '../queries/batch-statements.js'
import { type LockedSecret, lockSecrets, toLocked } from '../queries/lock-secrets.js'
import { createSingleStatements, type SingleStatements } from '../queries/single-statements.js'
import type { Row } from '../rows/tables.js'
import { createBatchQueue, type QueuedCall } from './batch-queue.js'

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
  /**
   * Runs a batch without a transaction. Null: it needs a transaction. Fails with SQLITE_CONSTRAINT if it may succeed in
   * a transaction.
   */
  runAtOnce?(single: SingleStatements, inputs: Input[]): Promise<Output[] | null>
  /**
   * Called after the rollback of a batch with only this input. Returns its result, or throws. Null: it can run again.
   */
  recover?(input: Input, error: unknown): Promise<Output | null>
}

export interface BatchTransaction {
  tx: OpenTransaction
  statements: BatchStatements
  /** The locked secrets of these writes, by id. */
  secrets: Map<string, LockedSecret>
}

/** The database that batches run on. */
interface WriteTarget {
  connections: WriteConnections
  statements: BatchStatements
  /** Null: every batch takes a transaction. */
  single: SingleStatements | null
}

/** An entry of the queue, which holds writes of every kind. */
interface PendingWrite<Input = unknown, Output = unknown> {
  write: BatchableWrite<Input, Output>
  input: Input
}
type QueuedWrite = QueuedCall<PendingWrite, unknown>

/** Runs one write. It is committed when the promise resolves. */
type RunWrite = <Input, Output>(pending: PendingWrite<Input, Output>) => Promise<Output>

/** `batchSize`: maximum number of writes in one transaction. `hasTriggers`: see Engine. */
export function createWriteQueue(connections: WriteConnections, batchSize: number, hasTriggers = false): RunWrite {
  const statements = createBatchStatements(connections.db)
  const single = hasTriggers ? createSingleStatements(connections.db, statements) : null
  const target: WriteTarget = { connections, statements, single }
  return createBatchQueue<PendingWrite, unknown>({
    batchSize,
    takeBatch: (queue) => takeBatch(queue, batchSize),
    run: (writes) => runBatch(target, writes),
  }) as RunWrite
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

/** Null, for several writes: their transaction was rolled back, so each of them can run again. */
async function runBatch(target: WriteTarget, writes: PendingWrite[]): Promise<unknown[] | null> {
  let tx: OpenTransaction | null = null
  try {
    const done = await runAtOnce(target, writes)
    if (done) return done
    tx = await beginTransaction(target.connections)
    const results = await runInTransaction(tx, target, writes)
    await commit(tx)
    return results
  } catch (error) {
    if (tx) await rollBack(tx)
    const [first, ...others] = writes
    if (first && others.length === 0) return recover(target, first, error)
    // A commit that failed may have happened: a second run could apply it twice. Without a transaction, the statement
    // of `runAtOnce` was the commit, or a transaction could not begin. `guardStore` repeats the calls after a lost
    // race.
    if (tx?.isCommitSent ?? true) throw error
    return null
  }
}

/** Ends a write that failed in its own batch. */
async function recover(target: WriteTarget, pending: PendingWrite, error: unknown): Promise<unknown[] | null> {
  const { write, input } = pending
  if (!write.recover) throw error
  const output = await write.recover(input, error)
  return output === null ? runBatch(target, [pending]) : [output]
}

/**
 * Runs writes of one kind without a transaction. Null: they need a transaction. It also finds the failing write when
 * the database has undone the statement.
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

/** Returns the results in the order of `writes`. */
async function runInTransaction(
  tx: OpenTransaction,
  { statements }: WriteTarget,
  writes: PendingWrite[],
): Promise<unknown[]> {
  const ids = writes.flatMap(({ write, input }) => write.secretId(input) ?? [])
  const secrets = writes.some(({ write }) => write.readsText)
    ? toLocked((await runAll(tx, [statements.lockWithTexts(ids)]))[0] as Row[])
    : await lockSecrets(tx, ids)
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
