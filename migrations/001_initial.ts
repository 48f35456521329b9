import type { Knex } from 'knex'
import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

/** Column lengths that every engine can index. Times are epoch ms as bigint; hashes are hex or PHC strings. */
const ID = 64
const HASH = 255

export const initial: Migration = {
  name: '001_initial',

  async up(knex) {
    await users(knex)
    await secrets(knex)
    // A table of its own, so that counting a view does not rewrite the text.
    await createTable(knex, 'texts', (table) => {
      table.string('secret_id', ID).primary().references('secrets.id').onDelete('CASCADE')
      // Padding between the start of a row and its text, used on SQLite; empty on other engines.
      table.text('margin').notNullable()
      table.text('text', 'longtext').notNullable()
    })
    await createTable(knex, 'claims', (table) => {
      table.string('secret_id', ID).notNullable().references('secrets.id').onDelete('CASCADE')
      table.string('claim_hash', ID).notNullable()
      table.bigInteger('expires_at').notNullable().index()
      // An acknowledged claim gets nothing anymore. The row stays until the secret is deleted.
      table.boolean('acked').notNullable()
      table.primary(['secret_id', 'claim_hash'])
    })
    await createTable(knex, 'replays', (table) => {
      table.string('key_hash', ID).primary()
      table.text('answer').notNullable()
      table.bigInteger('expires_at').notNullable().index()
    })
    await createTable(knex, 'settings', (table) => {
      table.string('name', ID).primary()
      table.text('value').notNullable()
    })
  },

  async down(knex) {
    for (const table of ['settings', 'replays', 'claims', 'texts', 'secrets', 'users']) {
      await knex.schema.dropTable(table)
    }
  },
}

function users(knex: Knex): Promise<void> {
  return createTable(knex, 'users', (table) => {
    table.string('id', ID).primary()
    table.string('username', 64).notNullable().unique()
    table.string('email', 255).notNullable().unique()
    table.string('password_hash', HASH)
    table.string('role', 16).notNullable()
    table.boolean('generated').notNullable()
    table.bigInteger('created_at').notNullable()
  })
}

function secrets(knex: Knex): Promise<void> {
  return createTable(knex, 'secrets', (table) => {
    table.string('id', ID).primary()
    table.string('kind', 16).notNullable()
    table.string('title', 255)
    table.string('access_hash', HASH)
    table.string('password_hash', HASH)
    table.string('burn_hash', HASH).notNullable()
    table.string('owner_id', ID).references('users.id').onDelete('CASCADE')
    table.string('allowed_ip', 64)
    table.integer('max_views')
    table.integer('views').notNullable()
    table.boolean('prevent_burn').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable()
    // Consecutive wrong passwords, and the number of locks so far.
    table.integer('failures').notNullable()
    table.integer('locks').notNullable()
    table.bigInteger('locked_until').notNullable()
    // Time for the cleanup: the expiry or, of a used-up secret, the end of the last claim's grace period.
    table.bigInteger('sweep_at').notNullable().index()
    table.index(['kind', 'created_at'])
    table.index(['owner_id', 'created_at'])
  })
}
