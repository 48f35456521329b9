/** All migrations in order, and the tables that they create. */
import { schema } from './001_schema.js'
import type { Migration } from './migration.js'
import type { NewRow, Table } from './table.js'

export type { Migration } from './migration.js'
export { alterTable, createTable, runMigration } from './schema-changes.js'
export * from './table.js'

/** Append only. Columns, keys and indexes of a released migration never change. */
export const migrations: Migration[] = [schema]

/** Names and columns of all tables, for the types of rows. */
type Tables = typeof schema.tables
export type TableName = keyof Tables
export type RowOf<Name extends TableName> = NewRow<Tables[Name]>

/** The tables after all migrations, in an order for writing. */
export const TABLES = describeTables(migrations)

export function describeTables(list: Migration[]): Record<string, Table> {
  const tables: Record<string, Table> = {}
  for (const { tables: created = {}, columns = {} } of list) {
    Object.assign(tables, created)
    for (const [name, added] of Object.entries(columns)) {
      const table = tables[name] as Table
      tables[name] = { ...table, columns: { ...table.columns, ...added } }
    }
  }
  return tables
}
