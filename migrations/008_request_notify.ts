import type { Migration } from './migration.js'

export const requestNotify: Migration = {
  name: '008_request_notify',

  async up(knex) {
    await knex.schema.alterTable('requests', (table) => {
      table.boolean('notify').notNullable().defaultTo(false)
    })
  },

  async down(knex) {
    // On SQLite, dropColumn of knex copies the table, and fails here.
    await knex.raw('alter table requests drop column notify')
  },
}
