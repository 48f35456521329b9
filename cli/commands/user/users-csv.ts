/** Reads a list of users from a file or stdin: CSV with the columns username, email and role. */
import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import { CreateUser } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'

export interface UserLine {
  username: string
  email: string
  role: string
}

type Column = keyof UserLine

interface CsvRow {
  /** Number of its first line, from 1. */
  line: number
  cells: string[]
}

const MAX_BYTES = 2 ** 20
const DELIMITERS = [',', ';', '\t']
/** The order without a header. */
const COLUMNS: Column[] = ['username', 'email', 'role']
const HEADINGS: Record<Column, RegExp> = {
  username: /^(user|user ?name|login)$/i,
  email: /^(e-?mail|mail)( ?address)?$/i,
  role: /^role$/i,
}
const FORMAT_HINT =
  'a line is username,email,role; a header may name the columns in another order; role can be left out'
const SCHEMAS = CreateUser.shape

/**
 * Returns the users of a list; names and addresses in lower case. `role`: default for lines without one. Throws
 * CliError `usage` that names line and column of every mistake. `skipInvalid`: lines with mistakes are left out, with a
 * warning, if the list can be read.
 */
export async function readUserList(path: string, role: string, skipInvalid: boolean, io: Io): Promise<UserLine[]> {
  const bytes = path === '-' ? await io.readStdin('the list of users', MAX_BYTES) : await readListFile(path, io)
  if (!bytes || bytes.length > MAX_BYTES) throw new CliError('usage', '--from: the list is too long')
  const problems: string[] = []
  const rows = parseRows(decode(bytes), problems)
  const columns = rows[0] && readHeader(rows[0], problems)
  const mistakes: string[] = []
  const users = problems.length > 0 ? [] : readUsers(columns ? rows.slice(1) : rows, columns ?? COLUMNS, role, mistakes)
  if (skipInvalid) for (const mistake of mistakes) io.warn(`--from: ${mistake}; the line is left out`)
  else problems.push(...mistakes)
  if (problems.length > 0) {
    throw new CliError('usage', problems.map((problem) => `--from: ${problem}`).join('\n'), FORMAT_HINT)
  }
  if (users.length === 0) throw new CliError('usage', '--from: the list is empty', FORMAT_HINT)
  return users
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch {
    throw new CliError('usage', '--from: the list is not UTF-8', 'save it as "CSV UTF-8"')
  }
}

/** Returns the rows without empty lines and comments (#), with trimmed cells. */
function parseRows(text: string, problems: string[]): CsvRow[] {
  const rows: CsvRow[] = []
  let [line, position] = [1, 0]
  Papa.parse<string[]>(text, {
    delimiter: findDelimiter(text),
    newline: '\n',
    comments: '#',
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
function findDelimiter(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Returns the columns of a header; undefined when the row is a user. */
function readHeader({ line, cells }: CsvRow, problems: string[]): (Column | undefined)[] | undefined {
  const columns = cells.map((cell) => COLUMNS.find((column) => HEADINGS[column].test(cell)))
  // A user may be called "user".
  if (columns.every((column) => column === undefined) || cells.some((cell) => cell.includes('@'))) return undefined
  for (const [at, column] of columns.entries()) {
    const place = `line ${line}, column ${at + 1}`
    if (!column && cells[at] !== '')
      problems.push(`${place}: "${toSingleLine(cells[at] ?? '')}" is not a column of users`)
    if (column && columns.indexOf(column) < at) problems.push(`${place}: the column ${column} appears twice`)
  }
  for (const column of ['username', 'email'] as const) {
    if (!columns.includes(column)) problems.push(`line ${line}: the column ${column} is missing`)
  }
  return columns
}

function readUsers(rows: CsvRow[], columns: (Column | undefined)[], role: string, problems: string[]): UserLine[] {
  const lines = { username: new Map<string, number>(), email: new Map<string, number>() }
  return rows.flatMap(({ line, cells }) => {
    const known = problems.length
    const user: UserLine = { username: '', email: '', role }
    for (let at = columns.length; at < cells.length; at += 1) {
      if (cells[at] !== '') problems.push(`line ${line}, column ${at + 1}: there are only ${columns.length} columns`)
    }
    for (const [at, column] of columns.entries()) {
      const cell = cells[at] ?? ''
      if (!column || (column === 'role' && cell === '')) continue
      const place = `line ${line}, column ${at + 1} (${column})`
      const parsed = SCHEMAS[column].safeParse(cell)
      if (!parsed.success) {
        problems.push(`${place}: ${cell === '' ? 'is missing' : describeIssue(parsed.error.issues[0])}`)
        continue
      }
      user[column] = parsed.data
      if (column === 'role') continue
      const earlier = lines[column].get(parsed.data)
      if (earlier !== undefined) problems.push(`${place}: ${parsed.data} is in line ${earlier} already`)
      else lines[column].set(parsed.data, line)
    }
    return problems.length > known ? [] : [user]
  })
}

async function readListFile(path: string, io: Io): Promise<Buffer> {
  return readFile(resolvePath(io, path)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read --from: ${error.code}`)
  })
}
