import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64

export const receipts: Migration = {
  name: '014_receipts',

  async up(knex) {
    await createTable(knex, 'receipts', (table) => {
      // Hash of the token in the receipt link. Nothing in this table leads to the secret.
      table.string('hash', ID).primary()
      table.string('owner_id', ID).references('users.id').onDelete('CASCADE').index()
      table.integer('max_views')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable()
      table.integer('views').notNullable()
      table.bigInteger('viewed_at')
      table.integer('wrong_passwords').notNullable()
      table.bigInteger('wrong_password_at')
      table.integer('refused_addresses').notNullable()
      table.bigInteger('refused_address_at')
      table.string('outcome', 16)
      table.bigInteger('ended_at').index()
    })
    await createTable(knex, 'receipt_views', (table) => {
      table.string('receipt_hash', ID).notNullable().references('receipts.hash').onDelete('CASCADE')
      table.integer('number').notNullable()
      table.bigInteger('at').notNullable()
      table.string('network', ID)
      table.string('browser', ID)
      table.primary(['receipt_hash', 'number'])
    })
    await knex.schema.alterTable('secrets', (table) => {
      table.string('receipt_hash', ID)
    })
  },

  async down(knex) {
    // On SQLite, dropColumn of knex copies the table, and fails here.
    await knex.raw('alter table secrets drop column receipt_hash')
    for (const table of ['receipt_views', 'receipts']) await knex.schema.dropTable(table)
  },
}
