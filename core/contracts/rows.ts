/** The rows of a storage as they are, for copies to another engine. */

/** A row in plain values, the same on every engine. */
export type PlainRow = Record<string, string | number | boolean | null>

export interface RowStore {
  /** Names of all that is kept, in an order in which rows may be written: what they refer to comes first. */
  tables: readonly string[]
  count(table: string): Promise<number>
  /** Up to `limit` rows, fewer when they are large, none behind the last; in an order that does not change, from behind the row `after`; null: from the first. */
  read(table: string, after: PlainRow | null, limit: number): Promise<PlainRow[]>
  /** Every row whose `column` is one of `values`. */
  find(table: string, column: string, values: string[]): Promise<PlainRow[]>
  /** Writes rows that were read elsewhere, all or none; those that are there already stay as they are. */
  write(table: string, rows: PlainRow[]): Promise<void>
  /** Deletes every row, of what a process does now as well, in one transaction. */
  clear(): Promise<void>
}
