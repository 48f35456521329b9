import type { Migration } from './migration.js'

export const requestNotify: Migration = {
  name: '008_request_notify',

  async up(knex) {
    await knex.schema.alterTable('requests', (table) => {
      table.boolean('notify').notNullable().defaultTo(false)
    })
  },

  async down(knex) {
    await knex.schema.alterTable('requests', (table) => table.dropColumn('notify'))
  },
}
