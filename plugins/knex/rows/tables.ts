/** Columns and value types for copies of rows between engines, from the descriptions of the tables. */
import type { CopiedTable } from '#core'
import { type Column, TABLES, type Table } from '#migrations'

/** A row as the driver returned it. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a column depends on the driver; see `toValue`.
export type Row = Record<string, any>

/** A column that exists in every copy. */
export interface CopiedColumn extends Column {
  name: string
}

/** Without the columns that belong to one database. */
export const copiedColumns = ({ columns }: Table): CopiedColumn[] =>
  Object.entries(columns)
    .filter(([, { isLocal }]) => !isLocal)
    .map(([name, column]) => ({ name, ...column }))

/**
 * Without process state, and without `new_events`, which the row store moves to `outbox` before it reads the outbox.
 */
export const COPIED_TABLES: CopiedTable[] = Object.entries(TABLES)
  .filter(([, { isLocal }]) => !isLocal)
  .map(([name, table]) => ({
    name,
    backup: table.backup,
    privateColumns: copiedColumns(table)
      .filter(({ isPrivate }) => isPrivate)
      .map((column) => column.name),
  }))

const TO_VALUE = { string: String, number: Number, boolean: Boolean }

/** Some drivers return bigints as strings, and booleans as 0 and 1. */
export const toValue = (column: Column, value: unknown): string | number | boolean | null =>
  value === null ? null : TO_VALUE[valueTypeOf(column)](value)

export function valueTypeOf({ type }: Column): 'number' | 'boolean' | 'string' {
  if (type === 'boolean') return 'boolean'
  return type === 'integer' || type === 'bigint' || type === 'sequence' ? 'number' : 'string'
}
