import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

export const stats: Migration = {
  name: '004_stats',

  async up(knex) {
    await createTable(knex, 'stats', (table) => {
      // A day in UTC, such as 2026-11-21.
      table.string('day', 10).notNullable()
      table.string('name', 32).notNullable()
      table.bigInteger('amount').notNullable()
      table.primary(['day', 'name'])
    })
  },

  async down(knex) {
    await knex.schema.dropTable('stats')
  },
}
