import type { OutboxEntry, OutboxFilter, OutboxStore } from '#core'
import { addEvents, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createOutboxStore(tables: Tables): OutboxStore {
  const { outbox } = tables
  const select = (filter: OutboxFilter) => outbox.filter((entry) => matches(entry, filter))
  return {
    append: async (events) => addEvents(tables, events),
    listDue: async (subscriber, now, limit) =>
      listHeads(select({ subscriber, state: 'pending' }))
        .filter(({ nextAt }) => nextAt <= now)
        .slice(0, limit)
        .map((entry) => ({ ...entry })),
    async recordAttempts(updates) {
      for (const update of updates) {
        const entry = outbox.find(({ id, state }) => id === update.id && state === 'pending')
        if (entry) Object.assign(entry, update)
      }
    },
    list: async (filter, { skip, take }) =>
      select(filter)
        .reverse()
        .slice(skip, skip + take)
        .map((entry) => ({ ...entry })),
    async redeliver(filter, now) {
      const matching = select(filter).filter(({ state }) => state !== 'counting')
      for (const entry of matching) Object.assign(entry, { state: 'pending', attempts: 0, nextAt: now, endedAt: null })
      return matching.length
    },
    async purge(filter, limit) {
      const matching = select(filter).slice(0, limit)
      for (const entry of matching) outbox.splice(outbox.indexOf(entry), 1)
      return matching.length
    },
  }
}

/** The oldest entry of each subject. */
function listHeads(entries: OutboxEntry[]): OutboxEntry[] {
  const subjects = new Set<string>()
  return entries.filter(({ subject }) => !subjects.has(subject) && subjects.add(subject))
}

const matches = (entry: OutboxEntry, { id, subscriber, state, before }: OutboxFilter): boolean =>
  (id === undefined || entry.id === id) &&
  (subscriber === undefined || entry.subscriber === subscriber) &&
  (state === undefined || entry.state === state) &&
  (before === undefined || entry.createdAt < before)
