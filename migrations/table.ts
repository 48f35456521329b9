/** Tables as data. The schema, copies, backups, the cleanup and the types of rows read the same description. */

/** `Value`: of the column in a row that is written. */
export interface Column<Value = unknown> {
  type: 'string' | 'text' | 'longtext' | 'integer' | 'bigint' | 'boolean' | 'sequence'
  /** Maximum number of characters of a string. */
  length?: number
  isNullable?: boolean
  /** For a column that is added to rows. */
  default?: Value
  /** Belongs to one database: copies and backups leave it out. */
  isLocal?: boolean
  /** Null in every backup. */
  isPrivate?: boolean
}

/** `accounts`: in every backup. `tokens`, `secrets`: in backups that include them. Null: in no backup. */
export type BackupPart = 'accounts' | 'tokens' | 'secrets' | null

export interface Table<Columns = Record<string, Column>> {
  columns: Columns
  /** Primary key. */
  key: NamesOf<Columns>
  unique?: NamesOf<Columns>[]
  indexes?: NamesOf<Columns>[]
  /**
   * From a column to the key of another table, such as `users.id`. Rows are deleted with the row that they refer to.
   */
  references?: { [Name in keyof Columns]?: string }
  /** The cleanup deletes rows by this time. It gets an index. */
  expires?: keyof Columns & string
  backup: BackupPart
  /** Process state or a queue, which copies do not contain. */
  isLocal?: boolean
  /** Unique columns by which copies and backups read the rows. Default: `key`. */
  order?: NamesOf<Columns>
  /** Maximum number of rows in one read, for tables with large rows. */
  maxRowsPerRead?: number
}

type NamesOf<Columns> = (keyof Columns & string)[]

/** Checks the names of the columns, and keeps their types. */
export const table = <Columns extends Record<string, Column>>(definition: Table<Columns>) =>
  definition as unknown as Omit<Table, 'columns'> & { columns: Columns }

export const string = (length: number): Column<string> => ({ type: 'string', length })
/** Up to 64 KiB. */
export const text = (): Column<string> => ({ type: 'text' })
export const longText = (): Column<string> => ({ type: 'longtext' })
/** Up to 2^31. */
export const integer = (): Column<number> => ({ type: 'integer' })
export const bigint = (): Column<number> => ({ type: 'bigint' })
/** Epoch ms. */
export const time = bigint
export const boolean = (): Column<boolean> => ({ type: 'boolean' })
/** Numbers that the database assigns in the order of inserts. */
export const sequence = () => local<number>({ type: 'sequence' })
export const local = <Value>(column: Column<Value>): Column<Value> & { isLocal: true } => ({ ...column, isLocal: true })
export const nullable = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, isNullable: true })
export const withDefault = <Value>(column: Column<Value>, value: Value): Column<Value> => ({
  ...column,
  default: value,
})

/** The values of a new row. Columns that are local to a database are left out. */
export type NewRow<Definition extends { columns: Record<string, Column> }> = {
  [Name in keyof Definition['columns'] as Definition['columns'][Name] extends { isLocal: true }
    ? never
    : Name]: Definition['columns'][Name] extends Column<infer Value> ? Value : never
}
