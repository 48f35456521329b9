import type { Knex } from 'knex'
import type { Column, Table } from './table.js'

export interface Migration {
  /** Stored in the database when the migration has run, so that it never runs again. */
  name: string
  /** New tables, in an order for writing: a table comes after the tables that it refers to. */
  tables?: Record<string, Table>
  /** New columns of tables of earlier migrations. They are nullable or have a default. */
  columns?: Record<string, Record<string, Column>>
  /**
   * Anything else, such as indexes and moved rows, after tables and columns. May run again after a crash. Runs in the
   * transaction of the migration where the engine has transactions for schema changes.
   */
  run?(knex: Knex): Promise<void>
}
