import type { Knex } from 'knex'
import type { OutboxEvent } from '#core'
import { toNewEventRows } from '../rows/new-event-rows.js'

/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

/** Adds events to `new_events` in their order. Without events it runs no statement. */
export async function insertEvents(tx: (table: string) => Knex.QueryBuilder, events: OutboxEvent[]): Promise<void> {
  const rows = toNewEventRows(events)
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    await tx('new_events').insert(rows.slice(from, from + CHUNK_SIZE))
  }
}
