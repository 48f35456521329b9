import type { AuditEntry, AuditStore } from '#core'
import { assertFree, deleteMatching } from './tables.js'

export function createAuditStore(): AuditStore {
  const log = new Map<string, AuditEntry>()
  return {
    async append(entries) {
      const ids = entries.map(({ id }) => id)
      assertFree(new Set(ids).size < ids.length || ids.some((id) => log.has(id)))
      for (const entry of entries) log.set(entry.id, structuredClone(entry))
    },
    async list({ action, actor, subject, since, until }, { skip, take }) {
      return [...log.values()]
        .filter((entry) => action === undefined || entry.action === action)
        .filter((entry) => actor === undefined || entry.actor === actor)
        .filter((entry) => subject === undefined || entry.subject === subject)
        .filter(({ at }) => (since === undefined || at >= since) && (until === undefined || at < until))
        .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
        .slice(skip, skip + take)
        .map((entry) => structuredClone(entry))
    },
    deleteBefore: async (before, limit) => deleteMatching(log, ({ at }) => at < before, limit),
  }
}
