/** The key of this instance, made once and shared by its processes: what is counted is named by hashes under it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../contracts/storage.js'

/** The setting that it is kept in. */
export const INSTANCE_KEY = 'instance_key'
const LEASE_MS = 10_000
const AGAIN_MS = 50

/** 32 bytes. However many processes start at once, all get the same ones. */
export async function instanceKey({ settings, leases }: Pick<Storage, 'settings' | 'leases'>): Promise<Buffer> {
  const holder = randomBytes(16).toString('hex')
  for (;;) {
    const kept = (await settings.all())[INSTANCE_KEY]
    if (kept !== undefined) return Buffer.from(kept, 'base64url')
    const now = Date.now()
    if (await leases.take(INSTANCE_KEY, holder, now + LEASE_MS, now)) {
      // Somebody may have had the lease, and made the key, since it was looked for.
      if ((await settings.all())[INSTANCE_KEY] === undefined)
        await settings.set({ [INSTANCE_KEY]: randomBytes(32).toString('base64url') })
    } else await sleep(AGAIN_MS)
  }
}
