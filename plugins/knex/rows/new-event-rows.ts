/** Converts durable events to rows of `new_events` and back. Migration 018 reads these rows, too. */
import type { OutboxEvent } from '#core'
import type { Row } from './secret-rows.js'

/** JSON of a row: the events of one subject in their order. */
interface NewEvents {
  subject: string
  events: NewEvent[]
}

/** An event with all its subscribers, which differ only in the ids. */
interface NewEvent extends Pick<OutboxEvent, 'type' | 'data' | 'createdAt'> {
  to: [id: string, subscriber: string][]
}

/** One row for consecutive events of the same subject, so one for each change of a secret. */
export function toNewEventRows(events: OutboxEvent[]): Row[] {
  const rows: NewEvents[] = []
  for (const { id, subscriber, subject, type, data, createdAt } of events) {
    let row = rows.at(-1)
    if (row?.subject !== subject) {
      row = { subject, events: [] }
      rows.push(row)
    }
    const last = row.events.at(-1)
    if (last?.type === type && last.data === data && last.createdAt === createdAt) last.to.push([id, subscriber])
    else row.events.push({ type, data, createdAt, to: [[id, subscriber]] })
  }
  return rows.map((row) => ({ events: JSON.stringify(row) }))
}

export function toEvents(row: Row): OutboxEvent[] {
  const { subject, events }: NewEvents = JSON.parse(row.events)
  return events.flatMap(({ to, ...event }) => to.map(([id, subscriber]) => ({ id, subscriber, subject, ...event })))
}
