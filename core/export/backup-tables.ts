/** The tables of a backup, as the storage describes them. */
import type { BackupPart, PlainRow, RowStore } from '../contracts/rows.js'

export const listTables = ({ tables }: RowStore, part: BackupPart): string[] =>
  tables.filter(({ backup }) => backup === part).map(({ name }) => name)

export const isInBackups = ({ tables }: RowStore, table: string): boolean =>
  tables.some(({ name, backup }) => name === table && backup !== null)

/** The rows as they are in a backup. */
export function emptyPrivateColumns({ tables }: RowStore, table: string, rows: PlainRow[]): PlainRow[] {
  const { privateColumns = [] } = tables.find(({ name }) => name === table) ?? {}
  if (privateColumns.length === 0) return rows
  const empty = Object.fromEntries(privateColumns.map((column) => [column, null]))
  return rows.map((row) => ({ ...row, ...empty }))
}
