/** The one that tidies up: what has ended is deleted, the store's files are scrubbed, blobs and rows are compared. */
import { randomBytes } from 'node:crypto'
import { reconcileFiles, sweepFiles } from './attachments/sweep.js'
import type { Clock } from './clock.js'
import type { FileStore } from './contracts/file-store.js'
import type { Storage } from './contracts/storage.js'
import type { Emit } from './events.js'
import { errorName, type Log } from './log.js'
import { sweepSecrets } from './secrets/sweep.js'
import { type SweepRows, sweepRows } from './sweep-rows.js'

/** Deletes that come close together share one scrub, and one sweep of files. */
const SOON_MS = 250
/** A scrub that others were in the way of waits longer, because it holds them up too. */
const SCRUB_AGAIN_MS = 2000
const RECONCILE_MS = 10 * 60_000
/** How far a clock that starts too early can be behind. */
const NOTE_TIME_MS = 60_000
/** Among the settings: the latest time that was seen, for the next start. */
export const CLOCK = 'clock'
/** Of several processes one tidies up. When it dies, another one takes over after this long. */
const LEASE_MS = 60_000

interface Parts {
  storage: Storage
  /** null: this instance keeps no files. */
  files: FileStore | null
  /** Of other rows that end. */
  rows: SweepRows[]
  emit: Emit
  log: Log
  clock: Pick<Clock, 'now' | 'isTrusted'>
  everyMs: number
}

export interface Sweeper {
  /** Deletes everything that has ended by now; answers how many secrets that were. */
  sweep(): Promise<number>
  /** Compares blobs and rows; answers how many blobs had no row. */
  reconcile(): Promise<number>
  /** Call after a delete: the store's files are scrubbed within a moment. */
  scrubSoon(): void
  /** Call when files have ended: their blobs are deleted within a moment. */
  sweepFilesSoon(): void
  /** Waits for what is running; nothing runs afterwards. */
  stop(): Promise<void>
}

export function startSweeper({ storage, files, rows, emit, log, clock, everyMs }: Parts): Sweeper {
  const { now } = clock
  const holder = randomBytes(16).toString('hex')
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  let holds = false
  const soon = new Map<string, { timer: NodeJS.Timeout; task: () => Promise<void> }>()

  /** One at a time; a failure is logged and the next round tries again. */
  function run(what: string, task: () => Promise<void>): void {
    running = running.then(task).catch((error: unknown) => {
      log.warn(`${what} failed`, { error: errorName(error) })
    })
  }

  /** Runs `task` after a while, once, however often it is asked for meanwhile. */
  function later(what: string, delayMs: number, task: () => Promise<void>): void {
    if (stopped || soon.has(what)) return
    const begin = () => {
      soon.delete(what)
      run(what, task)
    }
    soon.set(what, { timer: setTimeout(begin, delayMs), task })
  }

  /** False while another process tidies up, or while nobody should. */
  async function hold(): Promise<boolean> {
    holds = !stopped && clock.isTrusted() && (await storage.leases.take('sweep', holder, now() + LEASE_MS, now()))
    return holds
  }

  async function sweep(goOn: () => Promise<boolean>): Promise<number> {
    const started = performance.now()
    const total = await sweepSecrets({ store: storage.secrets, emit, now, goOn })
    if (total > 0) scrubSoon()
    if (files) await sweepFiles({ store: storage.attachments, files, log, now })
    await sweepRows({ sweeps: rows, now, goOn })
    await emit('sweep:finished', { secrets: total, ms: Math.round(performance.now() - started) })
    return total
  }

  async function reconcile(): Promise<number> {
    return files ? reconcileFiles({ store: storage.attachments, files, now }) : 0
  }

  function scrubIn(delayMs: number): void {
    later('scrub', delayMs, async () => {
      if (!(await storage.scrub())) scrubIn(SCRUB_AGAIN_MS)
    })
  }
  const scrubSoon = () => scrubIn(SOON_MS)
  const sweepFilesSoon = () =>
    later('sweep of files', SOON_MS, async () => {
      if (files && clock.isTrusted()) await sweepFiles({ store: storage.attachments, files, log, now })
    })

  async function noteTime(): Promise<void> {
    if (await hold()) await storage.settings.set({ [CLOCK]: String(now()) })
  }

  const timers = [
    setInterval(() => run('sweep', async () => void ((await hold()) && (await sweep(hold)))), everyMs),
    setInterval(() => run('reconciling files', async () => void ((await hold()) && (await reconcile()))), RECONCILE_MS),
    setInterval(() => run('noting the time', noteTime), NOTE_TIME_MS),
  ]
  for (const timer of timers) timer.unref()
  return {
    sweep: () => sweep(async () => !stopped),
    reconcile,
    scrubSoon,
    sweepFilesSoon,
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      for (const [what, { timer, task }] of soon) {
        clearTimeout(timer)
        run(what, task)
      }
      // So that the next one to start need not wait for the lease to end.
      if (holds)
        run('giving back the lease', async () => void (await storage.leases.take('sweep', holder, now(), now())))
      await running
    },
  }
}
