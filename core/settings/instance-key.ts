/** The key of this instance. It is created once, shared by all processes, and keys hashes and cookies. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../contracts/storage.js'

/** Name in the settings store. */
export const INSTANCE_KEY = 'instance_key'
const LEASE_MS = 10_000
const POLL_MS = 50

/** Loads the key, or creates it. 32 bytes. Processes that start at the same time all get the same key. */
export async function loadInstanceKey({ settings, leases }: Pick<Storage, 'settings' | 'leases'>): Promise<Buffer> {
  const holder = randomBytes(16).toString('hex')
  for (;;) {
    const key = (await settings.all())[INSTANCE_KEY]
    if (key !== undefined) return Buffer.from(key, 'base64url')
    const now = Date.now()
    if (await leases.acquire(INSTANCE_KEY, holder, now + LEASE_MS, now)) {
      // Another process may have created the key since the read above.
      if ((await settings.all())[INSTANCE_KEY] === undefined)
        await settings.set({ [INSTANCE_KEY]: randomBytes(32).toString('base64url') })
    } else await sleep(POLL_MS)
  }
}
