import type { Knex } from 'knex'

export interface Migration {
  /** Stored in the database when the migration has run, so that it never runs again. */
  name: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}
