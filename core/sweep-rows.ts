/** Forgets what has ended, in batches small enough that nobody waits long for one. */
import { setTimeout as sleep } from 'node:timers/promises'

const BATCH = 500

/** Forgets up to `limit` rows that have ended at `now` (epoch ms); answers how many. */
export type SweepRows = (now: number, limit: number) => Promise<number>

interface Parts {
  sweeps: SweepRows[]
  /** Epoch ms. */
  now: () => number
  /** Asked between batches. */
  goOn(): Promise<boolean>
  /** In ms; a pause of that length unless a test brings its own. */
  rest?(ms: number): Promise<unknown>
}

/** One kind after the other; rests after each full batch as long as it took. */
export async function sweepRows({ sweeps, now, goOn, rest = sleep }: Parts): Promise<void> {
  for (const sweepSome of sweeps) {
    for (;;) {
      const started = performance.now()
      if ((await sweepSome(now(), BATCH)) < BATCH) break
      if (!(await goOn())) return
      await rest(performance.now() - started)
    }
  }
}
