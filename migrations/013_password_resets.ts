import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64

export const passwordResets: Migration = {
  name: '013_password_resets',

  async up(knex) {
    await createTable(knex, 'password_resets', (table) => {
      // Hash of the token in the link.
      table.string('id', ID).primary()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
      table.bigInteger('expires_at').notNullable().index()
    })
  },

  async down(knex) {
    await knex.schema.dropTable('password_resets')
  },
}
