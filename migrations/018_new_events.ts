import type { Knex } from 'knex'
import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

export const newEvents: Migration = {
  name: '018_new_events',

  async up(knex) {
    // One narrow row for each change, until it is moved to the outbox.
    await createTable(knex, 'new_events', (table) => {
      // In the order of the commits of one secret, because its row is locked while it changes.
      table.bigIncrements('seq')
      // JSON.
      table.text('events', 'longtext').notNullable()
    })
  },

  async down(knex) {
    // After a crash, MySQL and MariaDB may repeat the last statement, when the table does not exist any more.
    if (await knex.schema.hasTable('new_events')) await moveAll(knex)
    await knex.schema.dropTable('new_events')
  },
}

/** Older versions know the outbox only. May run twice. */
async function moveAll(knex: Knex): Promise<void> {
  const values: string[] = await knex('new_events').orderBy('seq').pluck('events')
  const rows = values.flatMap(toOutboxRows)
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    const chunk = rows.slice(from, from + CHUNK_SIZE)
    await knex('outbox').insert(chunk).onConflict('id').ignore()
  }
}

interface NewEvents {
  subject: string
  events: { type: string; data: string; createdAt: number; to: [id: string, subscriber: string][] }[]
}

function toOutboxRows(json: string): object[] {
  const { subject, events }: NewEvents = JSON.parse(json)
  return events.flatMap(({ type, data, createdAt, to }) =>
    to.map(([id, subscriber]) => ({
      ...{ id, subscriber, subject, type, data },
      ...{ created_at: createdAt, state: 'pending', attempts: 0, next_at: createdAt },
    })),
  )
}
