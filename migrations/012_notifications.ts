import type { Migration } from './migration.js'

export const notifications: Migration = {
  name: '012_notifications',

  async up(knex) {
    await knex.schema.alterTable('secrets', (table) => {
      table.boolean('notify').notNullable().defaultTo(false)
    })
    await knex.schema.alterTable('users', (table) => {
      table.boolean('notifications').notNullable().defaultTo(true)
      // A tag such as `pt-BR`; null until the user asks for a notification.
      table.string('language', 64)
    })
  },

  async down(knex) {
    // On SQLite, dropColumn of knex copies the table, and fails here.
    await knex.raw('alter table secrets drop column notify')
    await knex.raw('alter table users drop column notifications')
    await knex.raw('alter table users drop column language')
  },
}
