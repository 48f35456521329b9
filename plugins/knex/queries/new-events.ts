/** The table `new_events`: durable events of committed changes, which are not in the outbox yet. */
import type { Knex } from 'knex'
import type { OutboxEvent } from '#core'
import type { Row } from '../rows/tables.js'
import { insertInChunks } from './insert-in-chunks.js'

/** JSON of a row: the events of one subject in their order. */
interface NewEvents {
  subject: string
  events: NewEvent[]
}

/** An event with all its subscribers, which differ only in the ids. */
interface NewEvent extends Pick<OutboxEvent, 'type' | 'data' | 'createdAt'> {
  to: [id: string, subscriber: string, isQueueFull?: true][]
}

/** Adds events to `new_events` in their order. Without events it runs no statement. */
export async function insertEvents(tx: (table: string) => Knex.QueryBuilder, events: OutboxEvent[]): Promise<void> {
  await insertInChunks(toNewEventRows(events), (rows) => tx('new_events').insert(rows))
}

/** One row for consecutive events of the same subject, so one for each change of a secret. */
export function toNewEventRows(events: OutboxEvent[]): Row[] {
  const rows: NewEvents[] = []
  for (const { id, subscriber, subject, type, data, createdAt, isQueueFull } of events) {
    const receiver: NewEvent['to'][number] = isQueueFull ? [id, subscriber, true] : [id, subscriber]
    let row = rows.at(-1)
    if (row?.subject !== subject) {
      row = { subject, events: [] }
      rows.push(row)
    }
    const last = row.events.at(-1)
    if (last?.type === type && last.data === data && last.createdAt === createdAt) last.to.push(receiver)
    else row.events.push({ type, data, createdAt, to: [receiver] })
  }
  return rows.map((row) => ({ events: JSON.stringify(row) }))
}

export function toEvents(row: Row): OutboxEvent[] {
  const { subject, events }: NewEvents = JSON.parse(row.events)
  return events.flatMap(({ to, ...event }) =>
    to.map(([id, subscriber, isQueueFull]) => ({
      id,
      subscriber,
      subject,
      ...event,
      ...(isQueueFull && { isQueueFull }),
    })),
  )
}
