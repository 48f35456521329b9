/** For whom `secret create` makes a link each: --copies, or the rows of a CSV list. */
import { COPIES_MAX } from '#shared/limits'
import { readCsvRows } from '../../files/csv-rows.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

export interface CopiesFlags {
  copies?: string
  toFile?: string
}

export interface LinkNames {
  /** The columns of the list; null: there is no list, and the names are numbers. */
  header: string[] | null
  rows: { name: string; cells: string[] }[]
}

/** Longest name, in characters. */
const NAME_MAX = 100
const NAME = /^name$/i
/** Columns that the output adds. */
const ADDED = /^(link|key|expires_at|receipt)$/i
const FORMAT_HINT = 'the first line names the columns, and one of them is name'

interface OtherFlags extends CopiesFlags {
  public?: true
  qr?: true
  copy?: true
  file?: string[]
  text?: string
  edit?: true
}

/** Throws CliError `usage`. */
export function checkCopiesFlags(flags: OtherFlags): void {
  const { copies, toFile, file = [], text, edit } = flags
  if (copies === undefined && toFile === undefined) return
  const flag = copies === undefined ? '--to-file' : '--copies'
  if (copies !== undefined && toFile !== undefined) {
    throw new CliError('usage', '--copies and --to-file exclude each other', '--to-file makes a link for each row')
  }
  for (const other of ['public', 'qr', 'copy'] as const) {
    if (flags[other]) throw new CliError('usage', `${flag} and --${other} exclude each other`, 'they are for one link')
  }
  const readsText = text === '-' || file.includes('-') || (file.length === 0 && text === undefined && !edit)
  if (toFile === '-' && readsText) {
    throw new CliError('usage', 'stdin cannot be both the list and the secret', 'use --to-file FILE')
  }
}

/** Null without these flags: one link. Throws CliError `usage` that names the line of every mistake. */
export async function readLinkNames({ copies, toFile }: CopiesFlags, io: Io): Promise<LinkNames | null> {
  if (toFile !== undefined) return readList(toFile, io)
  if (copies === undefined) return null
  const count = /^\d{1,9}$/.test(copies) ? Number(copies) : 0
  if (count < 1 || count > COPIES_MAX) throw new CliError('usage', `--copies must be 1 to ${COPIES_MAX}`)
  return { header: null, rows: Array.from({ length: count }, (_, index) => ({ name: `${index + 1}`, cells: [] })) }
}

async function readList(path: string, io: Io): Promise<LinkNames> {
  const problems: string[] = []
  const [first, ...rest] = await readCsvRows(path, { flag: '--to-file', what: 'the list of names' }, problems, io)
  const header = first?.cells ?? []
  const names = header.flatMap((cell, at) => (NAME.test(cell) ? [at] : []))
  const [column = 0] = names
  if (names.length === 0) problems.push('the column name is missing')
  if (names.length > 1) problems.push('the column name appears twice')
  for (const cell of header) if (ADDED.test(cell)) problems.push(`the column ${cell} is reserved for the output`)
  if (names.length === 1) {
    if (rest.length === 0) problems.push('the list is empty')
    if (rest.length > COPIES_MAX)
      problems.push(`the list has ${rest.length} rows; at most ${COPIES_MAX} links are made`)
  }
  const rows = rest.map(({ line, cells }) => {
    const name = cells[column] ?? ''
    if (name === '') problems.push(`line ${line}: the name is missing`)
    if (name.length > NAME_MAX) problems.push(`line ${line}: the name is longer than ${NAME_MAX} characters`)
    if (/\p{Cc}/u.test(name)) problems.push(`line ${line}: the name has more than one line or a tab`)
    if (cells.length > header.length) problems.push(`line ${line}: there are only ${header.length} columns`)
    return { name, cells: header.map((_, at) => cells[at] ?? '') }
  })
  if (problems.length > 0) throw createListError(problems)
  return { header, rows }
}

/** Mistakes that are printed: a file in another format has one in each line. */
const PROBLEMS_SHOWN = 20

function createListError(problems: string[]): CliError {
  const shown = problems.slice(0, PROBLEMS_SHOWN).map((problem) => `--to-file: ${problem}`)
  const more = problems.length - shown.length
  return new CliError('usage', [...shown, ...(more > 0 ? [`--to-file: ${more} more`] : [])].join('\n'), FORMAT_HINT)
}
