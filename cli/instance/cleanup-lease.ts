/** The lease of the cleanup job, which a running server holds. */
import { randomBytes } from 'node:crypto'
import type { Storage } from '#core'

/** Lease time of a server. */
const LEASE_MS = 60_000

/**
 * Takes the lease and returns a function that releases it; null while a server runs on the storage, or ran until a
 * minute ago.
 */
export async function takeCleanupLease({ leases }: Storage): Promise<(() => Promise<void>) | null> {
  const holder = randomBytes(16).toString('hex')
  const now = Date.now()
  if (!(await leases.acquire({ name: 'cleanup', holder, until: now + LEASE_MS, now }))) return null
  return async () => void (await leases.acquire({ name: 'cleanup', holder, until: 0, now: Date.now() }))
}
