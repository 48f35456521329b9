/** The key of this instance. It keys hashes and cookies, and all processes share it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../contracts/storage.js'

/** Name in the instance state. */
export const INSTANCE_KEY = 'instance_key'
const LEASE_MS = 10_000
const POLL_MS = 50

type Stores = Pick<Storage, 'instanceState' | 'leases'>

/**
 * The key of the configuration (64 hex digits or base64url; config/schema.ts validates it), otherwise the stored one.
 * 32 bytes. A configured key is not stored in the database.
 */
export async function resolveInstanceKey(configured: string, stores: Stores): Promise<Buffer> {
  if (configured === '') return loadInstanceKey(stores)
  await stores.instanceState.delete(INSTANCE_KEY)
  return parseInstanceKey(configured)
}

/** `text`: 64 hex digits or base64url. */
export const parseInstanceKey = (text: string): Buffer => Buffer.from(text, text.length === 64 ? 'hex' : 'base64url')

/** Loads the key, or creates it. 32 bytes. Processes that start at the same time all get the same key. */
export async function loadInstanceKey({ instanceState, leases }: Stores): Promise<Buffer> {
  const holder = randomBytes(16).toString('hex')
  for (;;) {
    const key = await instanceState.get(INSTANCE_KEY)
    if (key !== null) return Buffer.from(key, 'base64url')
    const now = Date.now()
    if (await leases.acquire({ name: INSTANCE_KEY, holder, until: now + LEASE_MS, now })) {
      // Another process may have created the key since the read above.
      if ((await instanceState.get(INSTANCE_KEY)) === null)
        await instanceState.set(INSTANCE_KEY, randomBytes(32).toString('base64url'))
    } else await sleep(POLL_MS)
  }
}
