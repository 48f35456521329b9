/** Deletes secrets that have ended, in batches small enough that nobody waits long for one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SecretStore } from '../contracts/storage.js'
import type { Emit } from '../events.js'

const FIRST = 20
const FEWEST = 5
const MOST = 100
/** How long a batch should take. Where only one can write, everyone else waits that long for it. */
const BATCH_MS = 10

interface Parts {
  store: SecretStore
  emit: Emit
  /** Epoch ms. */
  now: () => number
  /** Asked between batches. */
  goOn(): Promise<boolean>
  /** In ms; a pause of that length unless a test brings its own. */
  rest?(ms: number): Promise<unknown>
}

/**
 * Answers how many were deleted. The next batch is as large as could have been deleted in time, and after each one it rests
 * as long as that took: half of the time is everyone else's.
 */
export async function sweepSecrets({ store, emit, now, goOn, rest = sleep }: Parts): Promise<number> {
  let total = 0
  let batch = FIRST
  for (;;) {
    const started = performance.now()
    const swept = await store.sweep(now(), batch)
    for (const { id, expired } of swept) if (expired) await emit('secret:burned', { id, reason: 'expired' })
    total += swept.length
    if (swept.length < batch || !(await goOn())) return total
    const took = performance.now() - started
    batch = Math.min(MOST, Math.max(FEWEST, Math.round((batch * BATCH_MS) / took)))
    await rest(took)
  }
}
