import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64

export const requests: Migration = {
  name: '006_requests',

  async up(knex) {
    await createTable(knex, 'requests', (table) => {
      table.string('id', ID).primary()
      table.string('owner_id', ID).references('users.id').onDelete('CASCADE')
      table.text('recipient').notNullable()
      // Title and instructions, encrypted.
      table.text('note')
      table.string('submit_hash', ID).notNullable()
      table.string('collect_hash', ID).notNullable()
      table.integer('max_submissions').notNullable()
      table.integer('submissions').notNullable()
      table.bigInteger('max_bytes')
      table.boolean('allow_files').notNullable()
      table.string('allowed_ip', ID)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.index(['owner_id', 'created_at'])
    })
    await createTable(knex, 'submissions', (table) => {
      // No foreign key: the row stays when the secret was viewed, so that the requester sees that it was.
      table.string('secret_id', ID).primary()
      table.string('request_id', ID).notNullable().references('requests.id').onDelete('CASCADE').index()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable()
      // Encrypted bytes of text and files.
      table.bigInteger('size').notNullable()
      table.integer('files').notNullable()
    })
  },

  async down(knex) {
    for (const table of ['submissions', 'requests']) await knex.schema.dropTable(table)
  },
}
