/** CSV by RFC 4180, safe to open in spreadsheets. */
import Papa from 'papaparse'

/** Spreadsheets run a cell that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** Control characters except tab, LF and CR: they end a cell in some spreadsheets and control terminals. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu

/** A line of cells, with its line break. null: an empty cell. Control characters are removed. */
export const formatCsvLine = (cells: (string | number | boolean | null)[]): string =>
  `${Papa.unparse([cells.map(removeControl)], { escapeFormulae: FORMULA })}\r\n`

const removeControl = <T>(cell: T): T | string => (typeof cell === 'string' ? cell.replace(CONTROL, '') : cell)
