/** A migration after the last one, to test upgrades: a table with keys and indexes, new columns, and moved rows. */
import type { Knex } from 'knex'
import { alterTable, boolean, type Migration, nullable, string, table, time, withDefault } from '#migrations'

export const nextMigration: Migration = {
  name: '900_next',
  tables: {
    next_notes: table({
      columns: { id: string(64), user_id: string(64), text: string(255), expires_at: nullable(time()) },
      key: ['id'],
      unique: [['text']],
      indexes: [['user_id']],
      references: { user_id: 'users.id' },
      expires: 'expires_at',
      backup: null,
    }),
  },
  columns: { users: { has_notes: withDefault(boolean(), false), notes_color: nullable(string(16)) } },
  async run(knex) {
    await alterTable(knex, 'users', (users) => void users.index(['has_notes', 'username']))
    await moveNotes(knex)
  },
}

/** Each statement reads and writes, and may run again. */
async function moveNotes(knex: Knex): Promise<void> {
  const notes = knex('users')
    .select('id', 'id as user_id', 'username')
    .whereNotIn('id', knex('next_notes').select('id'))
  await knex(knex.raw('?? (??, ??, ??)', ['next_notes', 'id', 'user_id', 'text'])).insert(notes)
  await knex('users').update({ has_notes: true })
}
