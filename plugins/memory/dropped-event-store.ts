import { type DroppedEventStore, type DroppedEvents, mergeDropped, type OutboxEntry } from '#core'
import type { Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createDroppedEventStore({ outbox }: Tables): DroppedEventStore {
  const pendingOf = (subscriber: string) =>
    outbox.filter((entry) => entry.subscriber === subscriber && entry.state === 'pending')
  const summaryOf = (subscriber: string) =>
    outbox.find((entry) => entry.subscriber === subscriber && entry.state === 'counting')
  return {
    countPending: async (subscriber, max) => Math.min(max, pendingOf(subscriber).length),
    async add(subscriber, dropped) {
      const summary = summaryOf(subscriber)
      if (!summary) outbox.push(toSummary(subscriber, dropped))
      else summary.data = JSON.stringify(mergeDropped(JSON.parse(summary.data), dropped))
    },
    async release(subscriber, id, now, quietSince) {
      const summary = summaryOf(subscriber)
      if (!summary) return 'none'
      const { lastAt }: DroppedEvents = JSON.parse(summary.data)
      if (lastAt > quietSince || pendingOf(subscriber).some(({ createdAt }) => createdAt <= lastAt)) return 'counting'
      Object.assign(summary, { id, state: 'pending', createdAt: now, nextAt: now })
      return 'released'
    },
  }
}

function toSummary(subscriber: string, dropped: DroppedEvents): OutboxEntry {
  return {
    ...{ id: `dropped:${subscriber}`, subscriber, subject: `subscriber:${subscriber}`, type: 'events.dropped' },
    ...{ data: JSON.stringify(dropped), createdAt: dropped.firstAt, state: 'counting' },
    ...{ attempts: 0, nextAt: dropped.firstAt, endedAt: null, result: null },
  }
}
