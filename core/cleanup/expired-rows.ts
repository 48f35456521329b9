/** Deletes expired rows in batches small enough that other work does not wait long. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs } from '../shared/epoch-ms.js'

const BATCH = 500

/** Deletes up to `limit` rows that have expired at `now`. Returns their number. */
export type DeleteBatch = (now: EpochMs, limit: number) => Promise<number>

interface Parts {
  tables: DeleteBatch[]
  now: () => EpochMs
  /** Checked between batches. */
  goOn(): Promise<boolean>
  /** Pause in ms. Tests replace it. */
  rest?(ms: number): Promise<unknown>
}

/** Cleans up one table after the other. After a full batch it pauses for as long as the batch took. */
export async function deleteExpiredRows({ tables, now, goOn, rest = sleep }: Parts): Promise<void> {
  for (const deleteBatch of tables) {
    for (;;) {
      const started = performance.now()
      if ((await deleteBatch(now(), BATCH)) < BATCH) break
      if (!(await goOn())) return
      await rest(performance.now() - started)
    }
  }
}
