import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64
const WORDS = 255
/** Encrypted, in base64url. */
const SECRET = 255
const URL = 2000

export const userWebhooks: Migration = {
  name: '017_user_webhooks',

  async up(knex) {
    await createTable(knex, 'webhooks', (table) => {
      table.string('id', ID).primary()
      // Its name in the outbox.
      table.string('subscriber', ID).notNullable().unique()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('name', WORDS).notNullable()
      table.string('url', URL).notNullable()
      // Separated by spaces; empty: all.
      table.text('types').notNullable()
      table.string('secret', SECRET).notNullable()
      table.string('previous_secret', SECRET)
      table.bigInteger('previous_until')
      table.bigInteger('failing_since')
      table.bigInteger('created_at').notNullable()
    })
  },

  async down(knex) {
    // Their events would never be delivered nor deleted.
    await knex('outbox').whereIn('subscriber', knex('webhooks').select('subscriber')).delete()
    await knex.schema.dropTable('webhooks')
  },
}
