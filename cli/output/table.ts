/** Formats lists: a table on a terminal, tab-separated lines in a pipe, an array with --json. */
import type { Io } from './io.js'
import { toSingleLine } from './sanitize.js'

type CellValue = string | number | boolean | null | object

/** A row by column name, in snake_case. */
export type ListRow = Record<string, CellValue>

export interface ListFlags {
  /** Prints column names in a pipe too. */
  header?: true
  json?: true
}

/** `columns`: keys to show without --json. */
export function formatList(rows: ListRow[], columns: string[], flags: ListFlags, io: Io): string {
  if (flags.json) return `${JSON.stringify(rows)}\n`
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column] ?? null)))
  if (!io.isTty.stdout)
    return [...(flags.header ? [columns] : []), ...cells].map((row) => `${row.join('\t')}\n`).join('')
  if (rows.length === 0) return ''
  const lines = [columns.map((column) => column.replaceAll('_', ' ').toUpperCase()), ...cells]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map(
      (line) =>
        `${line
          .map((text, at) => text.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function formatCell(value: CellValue): string {
  if (value === null) return '-'
  if (typeof value !== 'object') return toSingleLine(String(value)).replaceAll('\t', ' ')
  const facts = Object.entries(value)
    .map(([name, each]) => toSingleLine(`${name}=${each}`).replaceAll('\t', ' '))
    .join(' ')
  return facts || '-'
}
