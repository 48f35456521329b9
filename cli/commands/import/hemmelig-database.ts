/** Reads users and settings from the SQLite file of Hemmelig 6. */
import { stat } from 'node:fs/promises'
import { chooseDriver } from '#plugins/sqlite/drivers/sqlite-driver'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'

type Row = Record<string, unknown>

export interface HemmeligData {
  users: { username: string; email: string; role: string }[]
  /** Values of the instance settings that both programs have. */
  settings: { [name in HemmeligFlag]?: boolean } & { restrict_organization_email?: string }
  /** Numbers of rows that cannot be imported. */
  secrets: number
  files: number
}

const FLAGS = ['read_only', 'disable_users', 'disable_user_account_creation', 'disable_file_upload'] as const

type HemmeligFlag = (typeof FLAGS)[number]

const LOCK_MS = 5000
/** Columns of the users that every release since 5.0 has; Hemmelig 7 has others. */
const USER_COLUMNS = ['username', 'email', 'password', 'role']
const WRONG_FILE_HINT = 'Hemmelig 6 and 5 have it at /var/lib/hemmelig, or where SECRET_DATABASE_URL points to'

/** Changes nothing in the file. Throws CliError `usage` if it is not a database of Hemmelig 5 or 6. */
export async function readHemmelig(path: string, io: Io): Promise<HemmeligData> {
  const file = resolvePath(io, path)
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read the database: ${error.code}`)
  })
  // The driver would create a missing file.
  if (!found.isFile() || found.size === 0)
    throw new CliError('usage', 'the database is empty or not a file', WRONG_FILE_HINT)
  const connection = await chooseDriver().open(file, LOCK_MS)
  const select = (sql: string) =>
    new Promise<Row[]>((resolve, reject) =>
      connection.all(sql, (error: Error | null, rows: Row[]) => (error ? reject(error) : resolve(rows))),
    )
  try {
    await select('PRAGMA query_only = 1')
    return await readTables(select)
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code } = error as { code?: string }
    throw new CliError('usage', `cannot read the database (${code ?? 'unknown'})`, 'pass the SQLite file of Hemmelig')
  } finally {
    await new Promise((resolve) => connection.close(resolve))
  }
}

async function readTables(select: (sql: string) => Promise<Row[]>): Promise<HemmeligData> {
  const columns = (await select('PRAGMA table_info("User")')).map(({ name }) => name)
  if (!USER_COLUMNS.every((column) => columns.includes(column))) {
    const isNewer = columns.includes('emailVerified')
    throw new CliError(
      'usage',
      isNewer ? 'the database belongs to Hemmelig 7' : 'the file is not a database of Hemmelig',
      isNewer ? 'only databases of Hemmelig 5 and 6 can be imported' : WRONG_FILE_HINT,
    )
  }
  const users = await select('SELECT username, email, role FROM "User" ORDER BY username')
  const [settings = {}] = await select('SELECT * FROM "Settings" LIMIT 1')
  const domains = settings.restrict_organization_email
  const flags = FLAGS.filter((name) => name in settings).map((name) => [name, Number(settings[name]) === 1])
  return {
    users: users.map(({ username, email, role }) => ({
      username: String(username),
      email: String(email),
      role: String(role),
    })),
    settings: {
      ...Object.fromEntries(flags),
      ...(typeof domains === 'string' && {
        restrict_organization_email: domains.replaceAll('@', '').trim().toLowerCase(),
      }),
    },
    secrets: await count(select, 'Secret'),
    files: await count(select, 'File'),
  }
}

async function count(select: (sql: string) => Promise<Row[]>, table: 'Secret' | 'File'): Promise<number> {
  const [row] = await select(`SELECT count(*) AS number FROM "${table}"`)
  return Number(row?.number)
}
