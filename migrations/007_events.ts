import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64
const WORDS = 255

export const events: Migration = {
  name: '007_events',

  async up(knex) {
    // No foreign keys: an event outlives the secret or the user that it is about.
    await createTable(knex, 'outbox', (table) => {
      // In the order of the commits of one secret, because its row is locked while it changes.
      table.bigIncrements('seq')
      table.string('id', ID).notNullable().unique()
      table.string('subscriber', ID).notNullable()
      table.string('subject', 2 * ID).notNullable()
      table.string('type', ID).notNullable()
      table.text('data').notNullable()
      table.bigInteger('created_at').notNullable()
      table.string('state', ID).notNullable()
      table.integer('attempts').notNullable()
      table.bigInteger('next_at').notNullable()
      table.bigInteger('ended_at')
      table.string('result', WORDS)
      table.index(['subscriber', 'state', 'next_at'])
      table.index(['subject', 'subscriber', 'state'])
      table.index(['state', 'created_at'])
    })
  },

  async down(knex) {
    await knex.schema.dropTable('outbox')
  },
}
