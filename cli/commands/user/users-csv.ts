/** Reads a list of users from a file or stdin: CSV with the columns username, email, role and groups. */
import { CreateUser } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import { type CsvRow, readCsvRows } from '../../files/csv-rows.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'

export interface UserLine {
  username: string
  email: string
  role: string
  /** Absent: the list has no column of groups. */
  groups?: string[]
}

type Column = keyof UserLine

const SOURCE = { flag: '--from', what: 'the list of users', comments: '#' }
/** The order without a header. */
const COLUMNS = ['username', 'email', 'role'] as const
const HEADINGS: Record<Column, RegExp> = {
  username: /^(user|user ?name|login)$/i,
  email: /^(e-?mail|mail)( ?address)?$/i,
  role: /^role$/i,
  groups: /^groups?$/i,
}
const NAMES = Object.keys(HEADINGS) as Column[]
const FORMAT_HINT =
  'a line is username,email,role; a header may name the columns in another order; role can be left out, and a column groups added'
const SCHEMAS = CreateUser.shape

/**
 * Returns the users of a list; names and addresses in lower case. `role`: default for lines without one. Throws
 * CliError `usage` that names line and column of every mistake. `skipInvalid`: lines with mistakes are left out, with a
 * warning, if the list can be read.
 */
export async function readUserList(path: string, role: string, skipInvalid: boolean, io: Io): Promise<UserLine[]> {
  const problems: string[] = []
  const rows = await readCsvRows(path, SOURCE, problems, io)
  const columns = rows[0] && readHeader(rows[0], problems)
  const mistakes: string[] = []
  const users =
    problems.length > 0 ? [] : readUsers(columns ? rows.slice(1) : rows, columns ?? [...COLUMNS], role, mistakes)
  if (skipInvalid) for (const mistake of mistakes) io.warn(`--from: ${mistake}; the line is left out`)
  else problems.push(...mistakes)
  if (problems.length > 0) {
    throw new CliError('usage', problems.map((problem) => `--from: ${problem}`).join('\n'), FORMAT_HINT)
  }
  if (users.length === 0) throw new CliError('usage', '--from: the list is empty', FORMAT_HINT)
  return users
}

/** Returns the columns of a header; undefined when the row is a user. */
function readHeader({ line, cells }: CsvRow, problems: string[]): (Column | undefined)[] | undefined {
  const columns = cells.map((cell) => NAMES.find((column) => HEADINGS[column].test(cell)))
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
      const value = column === 'groups' ? splitGroups(cell) : cell
      const parsed = SCHEMAS[column].safeParse(value)
      if (!parsed.success) {
        problems.push(`${place}: ${cell === '' ? 'is missing' : describeIssue(parsed.error.issues[0])}`)
        continue
      }
      Object.assign(user, { [column]: parsed.data })
      if (column === 'role' || column === 'groups') continue
      const text = user[column]
      const earlier = lines[column].get(text)
      if (earlier !== undefined) problems.push(`${place}: ${text} is in line ${earlier} already`)
      else lines[column].set(text, line)
    }
    return problems.length > known ? [] : [user]
  })
}

const splitGroups = (cell: string): string[] =>
  cell
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
