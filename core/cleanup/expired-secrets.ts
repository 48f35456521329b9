/** Deletes expired and used-up secrets in batches small enough that other work does not wait long. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutboxEvent } from '../contracts/outbox.js'
import type { SecretMeta, SecretStore } from '../contracts/storage.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const FIRST_BATCH = 20
const MIN_BATCH = 5
const MAX_BATCH = 1000
/** Default target duration of a batch. On a storage with a single writer all other writes wait for it. */
const BATCH_MS = 10

interface Parts {
  store: SecretStore
  /** Target duration of a batch: `Storage.cleanupBatchMs`. */
  batchMs?: number | undefined
  recordExpired(secret: SecretMeta): Promise<void>
  /** Durable events of an expired secret. Default: none. */
  toEvents?: ((secret: SecretMeta) => OutboxEvent[]) | undefined
  /** Whether the storage records the end of secrets that have an owner. Default: no. */
  recordsEnds?: (() => Promise<boolean>) | undefined
  now: () => EpochMs
  /** Checked between batches. */
  goOn(): Promise<boolean>
  /** Pause in ms. Tests replace it. */
  rest?(ms: number): Promise<unknown>
}

/**
 * Returns the number of deleted secrets. The size of each batch depends on the duration of the previous batch. After a
 * batch it pauses for as long as the batch took, which leaves half of the time to other work.
 */
export async function deleteExpiredSecrets(parts: Parts): Promise<number> {
  const { store, batchMs = BATCH_MS, recordExpired, toEvents, now, goOn, rest = sleep } = parts
  const isRecorded = (await parts.recordsEnds?.()) ?? false
  let total = 0
  let batch = FIRST_BATCH
  for (;;) {
    const started = performance.now()
    const unread = new Map<string, SecretMeta>()
    const collect = (secret: SecretMeta) => {
      unread.set(secret.id, secret)
      return toEvents?.(secret) ?? []
    }
    const deleted = await store.deleteExpired({ now: now(), limit: batch, toEvents: collect, recordsEnd: isRecorded })
    for (const { id } of deleted) {
      const secret = unread.get(id)
      if (secret) await recordExpired(secret)
    }
    total += deleted.length
    if (deleted.length < batch || !(await goOn())) return total
    const took = performance.now() - started
    batch = Math.min(MAX_BATCH, Math.max(MIN_BATCH, Math.round((batch * batchMs) / took)))
    await rest(took)
  }
}
