/** The schema, in the order in which it grew: add at the end; never edit one that was released. */
import type { Knex } from 'knex'
import { initial } from './001_initial.js'
import { files } from './002_files.js'
import { people } from './003_people.js'
import { stats } from './004_stats.js'

export { createTable } from './create-table.js'

export interface Migration {
  /** Kept in the database: what has run under a name never runs again. */
  name: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}

export const migrations: Migration[] = [initial, files, people, stats]
