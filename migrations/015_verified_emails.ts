import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

const ID = 64
const EMAIL = 255

export const verifiedEmails: Migration = {
  name: '015_verified_emails',

  async up(knex) {
    await knex.schema.alterTable('users', (table) => {
      // Existing addresses are not verified: nothing says that their users read them.
      table.bigInteger('email_verified')
      table.boolean('sign_in_alerts').notNullable().defaultTo(true)
    })
    await knex.schema.alterTable('password_resets', (table) => {
      table.string('email', EMAIL)
    })
    await createTable(knex, 'email_verifications', (table) => {
      // Hash of the token in the link.
      table.string('id', ID).primary()
      table.string('user_id', ID).notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('email', EMAIL).notNullable()
      table.bigInteger('expires_at').notNullable().index()
    })
  },

  async down(knex) {
    await knex.schema.dropTable('email_verifications')
    // On SQLite, dropColumn of knex copies the table, and fails here.
    await knex.raw('alter table password_resets drop column email')
    await knex.raw('alter table users drop column email_verified')
    await knex.raw('alter table users drop column sign_in_alerts')
  },
}
