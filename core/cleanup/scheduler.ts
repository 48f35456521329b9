/** Background cleanup: deletes expired data, wipes freed pages, reconciles blobs with attachment rows. */
import type { Emit } from '../contracts/events.js'
import type { FileStore } from '../contracts/file-store.js'
import type { OutboxEvent } from '../contracts/outbox.js'
import type { SecretMeta, Storage } from '../contracts/storage.js'
import type { Clock } from '../lib/clock.js'
import { createLease } from '../lib/lease.js'
import type { Log } from '../lib/log.js'
import { createTaskQueue } from '../lib/task-queue.js'
import { type DeleteBatch, deleteExpiredRows } from './expired-rows.js'
import { deleteExpiredSecrets } from './expired-secrets.js'
import { deleteExpiredFiles, reconcileFiles } from './orphaned-files.js'

/** Deletes within this time share one scrub, and one deletion of files. */
const SOON_MS = 250
/** A scrub that could not run because of other work waits longer, because it blocks that work too. */
const SCRUB_RETRY_MS = 2000
const RECONCILE_MS = 10 * 60_000
/** Bounds how far the clock can be behind after a restart. */
const SAVE_TIME_MS = 60_000
/** Name in the instance state: the latest time that any process has seen. */
export const CLOCK_KEY = 'clock'

interface Parts {
  storage: Storage
  /** null: this instance has no file store. */
  files: FileStore | null
  /** Deletes expired rows of other tables. */
  rows: DeleteBatch[]
  recordExpired(secret: SecretMeta): Promise<void>
  /** Durable events of an expired secret. */
  toExpiredEvents?: ((secret: SecretMeta) => OutboxEvent[]) | undefined
  /** Whether the storage records the end of secrets that have an owner. Default: no. */
  recordsEnds?: () => Promise<boolean>
  emit: Emit
  log: Log
  clock: Pick<Clock, 'now' | 'isTrusted'>
  everyMs: number
}

export interface Cleanup {
  /** Deletes everything that has expired. Returns the number of secrets. */
  run(): Promise<number>
  /** Deletes blobs without a row. Returns their number. */
  reconcile(): Promise<number>
  /** Wipes freed pages of the storage soon. */
  scrubSoon(): void
  /** Deletes the blobs of ended files soon. */
  deleteFilesSoon(): void
  /** Call after a delete: wipes freed pages, and deletes the blobs of ended files if there can be any. */
  wipeSoon(deleted: { hasFiles: boolean }): void
  /** Finishes running and pending work. Nothing runs afterwards. */
  stop(): Promise<void>
}

export function startCleanup(parts: Parts): Cleanup {
  const { storage, files, clock, log, everyMs } = parts
  const { now } = clock
  const queue = createTaskQueue(log, now)
  let stopped = false
  const lease = createLease(storage.leases, 'cleanup', now)
  const canRun = async () => !stopped && clock.isTrusted() && (await lease.acquire())

  function scrubIn(delayMs: number): void {
    queue.runLater('scrub', delayMs, async () => {
      if (!(await storage.scrub())) scrubIn(SCRUB_RETRY_MS)
    })
  }
  const scrubSoon = () => scrubIn(SOON_MS)
  // A process that was killed has left deleted data behind. The start does not wait, because there can be much of it.
  scrubSoon()

  const runAll = (canContinue: () => Promise<boolean>) => deleteAllExpired(parts, { canContinue, scrubSoon })
  const reconcile = async () => (files ? reconcileFiles({ store: storage.attachments, files, now }) : 0)
  const saveTime = () => storage.instanceState.set(CLOCK_KEY, String(now()))

  /** Runs a job on the process that holds the lease. */
  const runEvery = (ms: number, name: string, job: () => Promise<unknown>) =>
    setInterval(() => queue.run(name, async () => void ((await canRun()) && (await job()))), ms).unref()
  const timers = [
    runEvery(everyMs, 'cleanup', () => runAll(canRun)),
    runEvery(RECONCILE_MS, 'reconciling files', reconcile),
    runEvery(SAVE_TIME_MS, 'saving the time', saveTime),
  ]

  const deleteFilesSoon = () =>
    queue.runLater('cleanup of files', SOON_MS, async () => {
      if (files && clock.isTrusted()) await deleteExpiredFiles({ store: storage.attachments, files, log, now })
    })

  return {
    run: () => runAll(async () => !stopped),
    reconcile,
    scrubSoon,
    deleteFilesSoon,
    wipeSoon({ hasFiles }) {
      scrubSoon()
      if (hasFiles) deleteFilesSoon()
    },
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      queue.close()
      queue.run('releasing the cleanup lease', lease.release)
      await queue.idle()
    },
  }
}

async function deleteAllExpired(
  { storage, files, rows, recordExpired, toExpiredEvents, recordsEnds, emit, log, clock: { now } }: Parts,
  { canContinue, scrubSoon }: { canContinue(): Promise<boolean>; scrubSoon(): void },
): Promise<number> {
  const started = performance.now()
  const { secrets: store, cleanupBatchMs: batchMs } = storage
  const total = await deleteExpiredSecrets({
    store,
    batchMs,
    recordExpired,
    toEvents: toExpiredEvents,
    recordsEnds,
    now,
    goOn: canContinue,
  })
  if (total > 0) scrubSoon()
  if (files) await deleteExpiredFiles({ store: storage.attachments, files, log, now })
  await deleteExpiredRows({ tables: rows, now, goOn: canContinue })
  await emit('cleanup.finished', { secrets: total, ms: Math.round(performance.now() - started) })
  return total
}
