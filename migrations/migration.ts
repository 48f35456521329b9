import type { Knex } from 'knex'

export interface Migration {
  /** Kept in the database: what has run under a name never runs again. */
  name: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}
