/** Reads a list of users from a file or stdin, with `username,email,role` on each line. */
import { readFile } from 'node:fs/promises'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'

export interface UserLine {
  username: string
  email: string
  role: string
}

const MAX_BYTES = 2 ** 20
const HEADER = /^user(name)?,/i

/** `role`: default for lines without one. Fields are validated when the user is created. Throws CliError `usage`. */
export async function readUserList(path: string, role: string, io: Io): Promise<UserLine[]> {
  const bytes = path === '-' ? await io.readStdin('the list of users', MAX_BYTES) : await readListFile(path, io)
  if (!bytes || bytes.length > MAX_BYTES) throw new CliError('usage', '--from: the list is too long')
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
  const team = lines.flatMap((line, at) => (isUserLine(line, at) ? [parseLine(line, at, role)] : []))
  if (team.length === 0) throw new CliError('usage', '--from: the list is empty', 'each line is username,email,role')
  return team
}

/** False for empty lines, comments (#) and a header. */
const isUserLine = (line: string, at: number): boolean =>
  line.trim() !== '' && !line.startsWith('#') && !(at === 0 && HEADER.test(line))

function parseLine(line: string, at: number, fallback: string): UserLine {
  const [username = '', email = '', role = '', ...more] = line.split(',').map((field) => field.trim())
  if (username === '' || email === '' || more.length > 0 || line.includes('"')) {
    throw new CliError('usage', `--from: line ${at + 1} is not username,email,role`)
  }
  return { username, email, role: role || fallback }
}

async function readListFile(path: string, io: Io): Promise<Buffer> {
  return readFile(resolvePath(io, path)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read --from: ${error.code}`)
  })
}
