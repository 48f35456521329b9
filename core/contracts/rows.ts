/** Raw rows of a storage, for copies to another engine. */

/** A row of plain values, equal on every engine. */
export type PlainRow = Record<string, string | number | boolean | null>

/** Which backups contain the rows of a table: every one, or those with tokens or secrets. */
export type BackupPart = 'accounts' | 'tokens' | 'secrets'

export interface CopiedTable {
  name: string
  /** Null: no backup. */
  backup: BackupPart | null
  /** Columns that are null in every backup. */
  privateColumns: string[]
}

export interface RowStore {
  /** All tables, in an order for writing: referenced tables come first. */
  tables: readonly CopiedTable[]
  count(table: string): Promise<number>
  /**
   * Up to `limit` rows in a stable order, after the row `after`; null: from the start. Fewer if they are large, none at
   * the end.
   */
  read(table: string, after: PlainRow | null, limit: number): Promise<PlainRow[]>
  /** All rows whose `column` is one of `values`. */
  find(table: string, column: string, values: string[]): Promise<PlainRow[]>
  /** Writes rows of another storage in one transaction. Existing rows stay unchanged. */
  write(table: string, rows: PlainRow[]): Promise<void>
  /** Deletes all rows in one transaction, also rows of running jobs. */
  clear(): Promise<void>
}
