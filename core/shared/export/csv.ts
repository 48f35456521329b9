/** CSV by RFC 4180. */

/** A line of cells, with its line break. null: an empty cell. */
export const formatCsvLine = (cells: (string | number | boolean | null)[]): string =>
  `${cells.map((cell) => formatCsvCell(cell === null ? '' : String(cell))).join(',')}\r\n`

/** Spreadsheets run a cell that starts with one of these characters as a formula. */
function formatCsvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
