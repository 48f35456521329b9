import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64

export const files: Migration = {
  name: '002_files',

  async up(knex) {
    await knex.schema.alterTable('secrets', (table) => {
      table.integer('files').notNullable().defaultTo(0)
    })
    await createTable(knex, 'attachments', (table) => {
      table.string('id', ID).primary()
      table.string('blob', ID).notNullable().unique()
      table.bigInteger('size').notNullable()
      table.integer('parts').notNullable()
      table.string('token_hash', ID).notNullable()
      table.string('uploader', ID).notNullable().index()
      // No foreign key: the row must exist until its blobs are deleted, also if the secret is deleted before.
      table.string('secret_id', ID).index()
      // Position among the files of the secret.
      table.integer('position').notNullable()
      table.string('name', 255)
      table.string('type', 255)
      table.bigInteger('expires_at').notNullable().index()
    })
    await createTable(knex, 'attachment_parts', (table) => {
      table.string('attachment_id', ID).notNullable().references('attachments.id').onDelete('CASCADE')
      table.integer('position').notNullable()
      table.primary(['attachment_id', 'position'])
    })
    await createTable(knex, 'tickets', (table) => {
      table.string('hash', ID).primary()
      table.string('attachment_id', ID).notNullable().references('attachments.id').onDelete('CASCADE').index()
      table.bigInteger('expires_at').notNullable().index()
    })
    // Counters of rate limits, until their window ends.
    await createTable(knex, 'limits', (table) => {
      table.string('name', ID).primary()
      table.bigInteger('used').notNullable()
      table.bigInteger('ends_at').notNullable().index()
    })
    await createTable(knex, 'leases', (table) => {
      table.string('name', ID).primary()
      table.string('holder', ID).notNullable()
      table.bigInteger('ends_at').notNullable()
    })
  },

  async down(knex) {
    for (const table of ['leases', 'limits', 'tickets', 'attachment_parts', 'attachments']) {
      await knex.schema.dropTable(table)
    }
    // Not `dropColumn` of knex: on SQLite it recreates the table, and the cascade deletes all texts.
    await knex.raw('alter table secrets drop column files')
  },
}
