import type { Knex } from 'knex'
import type { OutboxEvent } from '#core'
import { toOutboxRow } from '../rows/outbox-rows.js'

/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

/** Adds events to the outbox in their order. Without events it runs no statement. */
export async function insertEvents(tx: (table: string) => Knex.QueryBuilder, events: OutboxEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += CHUNK_SIZE) {
    await tx('outbox').insert(events.slice(from, from + CHUNK_SIZE).map(toOutboxRow))
  }
}
