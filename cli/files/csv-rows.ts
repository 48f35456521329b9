/** Reads CSV lists that users write or export from a spreadsheet. */
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type NamedInput, readNamedInput } from './named-file.js'

export interface CsvRow {
  /** Number of its first line, from 1. */
  line: number
  cells: string[]
}

interface CsvSource extends Pick<NamedInput, 'flag' | 'what'> {
  /** Lines that begin with this character are left out. Default: none. */
  comments?: string
}

const MAX_BYTES = 2 ** 20
const DELIMITERS = [',', ';', '\t']

/**
 * Returns the rows without empty lines, with trimmed cells. The delimiter is a comma, a semicolon or a tab. Adds the
 * mistakes to `problems`, each with its line. Throws CliError `usage` when the file cannot be read, is larger than
 * 1 MiB, or is not UTF-8.
 */
export async function readCsvRows(path: string, source: CsvSource, problems: string[], io: Io): Promise<CsvRow[]> {
  const { flag, what } = source
  const bytes = await readNamedInput(path, { flag, what, maxBytes: MAX_BYTES }, io)
  if (!bytes) throw new CliError('usage', `${flag}: the list is too long`)
  return parseRows(decode(bytes, flag), source, problems)
}

function decode(bytes: Uint8Array, flag: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch {
    throw new CliError('usage', `${flag}: the list is not UTF-8`, 'save it as "CSV UTF-8"')
  }
}

async function parseRows(text: string, { comments }: CsvSource, problems: string[]): Promise<CsvRow[]> {
  // Loaded for a list only: `secret create` without one starts faster.
  const { default: Papa } = await import('papaparse')
  const rows: CsvRow[] = []
  let [line, position] = [1, 0]
  Papa.parse<string[]>(text, {
    delimiter: findDelimiter(text, comments),
    newline: '\n',
    comments: comments ?? false,
    skipEmptyLines: 'greedy',
    step({ data, errors: [error], meta: { cursor } }) {
      const end = !error && text[cursor - 1] === '\n' ? cursor - 1 : cursor
      line += countLineBreaks(text.slice(position, end))
      position = end
      const first = line - countLineBreaks(data.join(''))
      if (error) problems.push(`line ${first}: ${error.message.toLowerCase()}`)
      rows.push({ line: first, cells: data.map((cell) => cell.trim()) })
    },
  })
  return rows
}

const countLineBreaks = (text: string): number => text.split('\n').length - 1

/** The delimiter that the first row has most of. */
function findDelimiter(text: string, comments: string | undefined): string {
  const isRow = (line: string) => line.trim() !== '' && !(comments !== undefined && line.startsWith(comments))
  const first = text.split('\n').find(isRow) ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}
