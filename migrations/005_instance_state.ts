import type { Knex } from 'knex'
import { createTable } from './create-table.js'
import type { Migration } from './migration.js'

/** What the table `settings` held beside the settings. */
const STATE_NAMES = ['instance_key', 'setup_code_hash', 'setup_code_ends', 'clock', 'copy_progress']

export const instanceState: Migration = {
  name: '005_instance_state',

  async up(knex) {
    await createTable(knex, 'instance_state', (table) => {
      table.string('name', 64).primary()
      // The progress of a copy contains a whole row.
      table.text('value', 'longtext').notNullable()
    })
    await copyMissing(knex, 'settings', 'instance_state')
    await knex('settings').whereIn('name', STATE_NAMES).delete()
  },

  async down(knex) {
    await copyMissing(knex, 'instance_state', 'settings')
    await knex.schema.dropTable('instance_state')
  },
}

/** May run twice: after a crash, MySQL and MariaDB repeat the last statement. */
async function copyMissing(knex: Knex, from: string, to: string): Promise<void> {
  const missing = knex(from)
    .select('name', 'value')
    .whereIn('name', STATE_NAMES)
    .whereNotIn('name', knex(to).select('name'))
  await knex(knex.raw('?? (??, ??)', [to, 'name', 'value'])).insert(missing)
}
