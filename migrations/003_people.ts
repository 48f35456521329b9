import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64
const WORDS = 255

export const people: Migration = {
  name: '003_people',

  async up(knex) {
    await knex.schema.alterTable('users', (table) => void table.index(['role', 'username']))
    await createTable(knex, 'identities', (table) => {
      // Hash of provider and subject, because engines compare subjects differently.
      table.string('hash', ID).primary()
      table.string('provider', ID).notNullable()
      table.string('subject', WORDS).notNullable()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
    })
    await createTable(knex, 'sessions', (table) => {
      table.string('id', ID).primary()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('token_hash', ID).notNullable().unique()
      // The previous token and the end of its grace period; null until the first rotation.
      table.string('previous_hash', ID).index()
      table.bigInteger('previous_until')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('seen_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.bigInteger('ends_at').notNullable()
      table.string('client', ID).notNullable()
    })
    await createTable(knex, 'tokens', (table) => {
      table.string('id', ID).primary()
      table.string('hash', ID).notNullable()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('name', WORDS).notNullable()
      // Separated by spaces.
      table.string('scopes', WORDS).notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('used_at')
      table.bigInteger('expires_at').notNullable().index()
      table.bigInteger('secrets_left')
      table.bigInteger('bytes_left')
      table.string('allowed_ip', ID)
    })
    // No foreign keys: entries outlive the users they name.
    await createTable(knex, 'audit', (table) => {
      table.string('id', ID).primary()
      table.bigInteger('at').notNullable()
      table.string('action', ID).notNullable()
      table.string('actor', WORDS)
      table.string('subject', WORDS)
      table.string('address', ID)
      // JSON.
      table.text('detail').notNullable()
      table.index(['at', 'id'])
      for (const column of ['action', 'actor', 'subject']) table.index([column, 'at', 'id'])
    })
  },

  async down(knex) {
    for (const table of ['audit', 'tokens', 'sessions', 'identities']) await knex.schema.dropTable(table)
    await knex.schema.alterTable('users', (table) => void table.dropIndex(['role', 'username']))
  },
}
