import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64

export const endedSecrets: Migration = {
  name: '016_ended_secrets',

  async up(knex) {
    await createTable(knex, 'ended_secrets', (table) => {
      // Of the secret.
      table.string('id', ID).primary()
      // Without a foreign key, whose check would lock the user in every last view: deleting a user locks in the other order.
      table.string('owner_id', ID).notNullable()
      table.string('kind', 16).notNullable()
      table.string('outcome', 16).notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('ended_at').notNullable().index()
      table.integer('views').notNullable()
      table.integer('max_views')
      table.boolean('has_password').notNullable()
      table.integer('files').notNullable()
      table.index(['owner_id', 'ended_at', 'id'])
    })
  },

  async down(knex) {
    await knex.schema.dropTable('ended_secrets')
  },
}
