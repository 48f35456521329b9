/** The lease of the one process that works for all, such as the delivery for a channel. */
import { randomBytes } from 'node:crypto'
import type { LeaseStore } from '../contracts/storage.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** When a process dies, another one continues after this time. Much longer than an attempt to deliver. */
const LEASE_MS = 60_000
/** How long a process does not ask again after another one had the lease. */
const LEASED_MS = 5000

export function createLease(leases: LeaseStore, name: string, now: () => EpochMs) {
  const holder = randomBytes(16).toString('hex')
  /** 0: this process does not have the lease. */
  let end: EpochMs = 0
  let nextTryAt = 0
  let asking: Promise<boolean> | null = null
  async function acquire(): Promise<boolean> {
    const next = now() + LEASE_MS
    end = (await leases.acquire({ name, holder, until: next, now: now() })) ? next : 0
    if (end === 0) nextTryAt = now() + LEASED_MS
    return end > 0
  }
  return {
    /** Acquires or extends the lease. False: another process has it. */
    acquire,
    /** False: another process has the lease. Renews it early enough for the next batch. */
    async claim(): Promise<boolean> {
      if (end - now() > LEASE_MS / 2) return true
      if (now() < nextTryAt) return false
      asking ??= acquire().finally(() => {
        asking = null
      })
      return asking
    },
    /** Lets another process continue at once. */
    async release(): Promise<void> {
      if (end > 0) await leases.acquire({ name, holder, until: now(), now: now() })
      end = 0
    },
  }
}
