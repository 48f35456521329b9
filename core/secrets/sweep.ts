/** Deletes secrets that have ended, in batches small enough that nobody waits long for one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SecretStore } from '../contracts/storage.js'
import type { Emit } from '../events.js'

const BATCH = 100

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

/** Answers how many were deleted. Rests after each batch as long as it took: half of the time is everyone else's. */
export async function sweepSecrets({ store, emit, now, goOn, rest = sleep }: Parts): Promise<number> {
  let total = 0
  for (;;) {
    const started = performance.now()
    const swept = await store.sweep(now(), BATCH)
    for (const { id, expired } of swept) if (expired) await emit('secret:burned', { id, reason: 'expired' })
    total += swept.length
    if (swept.length < BATCH || !(await goOn())) return total
    await rest(performance.now() - started)
  }
}
