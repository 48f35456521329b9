import type { LeaseStore } from '#core'

export function createLeaseStore(): LeaseStore {
  const leases = new Map<string, { holder: string; until: number }>()
  return {
    async acquire(name, holder, until, now) {
      const current = leases.get(name)
      if (current && current.holder !== holder && current.until > now) return false
      leases.set(name, { holder, until })
      return true
    },
  }
}
