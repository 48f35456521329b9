/** Deletes what has ended, in small batches, and has the store scrub its files afterwards. */
import type { Storage } from '../contracts/storage.js'
import type { Emit } from '../events.js'
import type { Log } from '../log.js'

/** Few enough that a batch of large texts holds up nobody for long. */
const BATCH = 100
/** Deletes that come close together share one scrub. */
const SCRUB_DELAY_MS = 250
/** A scrub that others were in the way of waits longer, because it holds them up too. */
const SCRUB_AGAIN_MS = 2000

interface Parts {
  storage: Storage
  emit: Emit
  log: Log
  /** Epoch ms. */
  now: () => number
  everyMs: number
}

export interface Sweeper {
  /** Deletes everything that has ended by now; answers how many secrets that were. */
  sweep(): Promise<number>
  /** Call after a delete: the store's files are scrubbed within a moment. */
  scrubSoon(): void
  /** Waits for what is running; nothing runs afterwards. */
  stop(): Promise<void>
}

export function startSweeper({ storage, emit, log, now, everyMs }: Parts): Sweeper {
  let running: Promise<unknown> = Promise.resolve()
  let scrubTimer: NodeJS.Timeout | null = null
  let stopped = false

  /** One at a time; a failure is logged and the next round tries again. */
  function run(what: string, work: () => Promise<void>): void {
    running = running.then(work).catch((error: unknown) => {
      log.warn(`${what} failed`, { error: error instanceof Error ? error.name : 'unknown' })
    })
  }

  async function sweep(): Promise<number> {
    let total = 0
    for (;;) {
      const swept = await storage.secrets.sweep(now(), BATCH)
      for (const { id, expired } of swept) if (expired) await emit('secret:burned', { id, reason: 'expired' })
      total += swept.length
      if (swept.length < BATCH || stopped) break
    }
    if (total > 0) scrubSoon()
    return total
  }

  function scrubIn(delayMs: number): void {
    if (scrubTimer || stopped) return
    scrubTimer = setTimeout(() => {
      scrubTimer = null
      run('scrub', async () => {
        if (!(await storage.scrub())) scrubIn(SCRUB_AGAIN_MS)
      })
    }, delayMs)
  }
  const scrubSoon = () => scrubIn(SCRUB_DELAY_MS)

  const timer = setInterval(() => run('sweep', async () => void (await sweep())), everyMs)
  timer.unref()
  return {
    sweep,
    scrubSoon,
    async stop() {
      stopped = true
      clearInterval(timer)
      if (scrubTimer) {
        clearTimeout(scrubTimer)
        run('scrub', async () => void (await storage.scrub()))
      }
      await running
    },
  }
}
