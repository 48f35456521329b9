import type { Knex } from 'knex'
import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

/** Times are epoch ms as bigint, hashes hex or PHC strings. Only lengths that hold on every engine. */
const ID = 64
const HASH = 255

export const initial: Migration = {
  name: '001_initial',

  async up(knex) {
    await users(knex)
    await secrets(knex)
    // Apart from `secrets`, so that counting a view does not write the text anew.
    await createTable(knex, 'texts', (table) => {
      table.string('secret_id', ID).primary().references('secrets.id').onDelete('CASCADE')
      // Room that an engine may want between the start of a row and its text; empty on most.
      table.text('margin').notNullable()
      table.text('text', 'longtext').notNullable()
    })
    await createTable(knex, 'claims', (table) => {
      table.string('secret_id', ID).notNullable().references('secrets.id').onDelete('CASCADE')
      table.string('claim_hash', ID).notNullable()
      table.bigInteger('expires_at').notNullable().index()
      // Delivered: it gets nothing any more, and stays until the secret goes.
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
    // Wrong passwords in a row, and how often that has led to a lock.
    table.integer('failures').notNullable()
    table.integer('locks').notNullable()
    table.bigInteger('locked_until').notNullable()
    // When sweeping may find it: its expiry, or the end of the last claim's grace once it is used up.
    table.bigInteger('sweep_at').notNullable().index()
    table.index(['kind', 'created_at'])
    table.index(['owner_id', 'created_at'])
  })
}
