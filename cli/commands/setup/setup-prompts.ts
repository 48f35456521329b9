/** The dialogue of `mayfly setup`. Every question shows what is in force, and Enter keeps it. */

import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { checkDatabase, checkFileStore } from './check-connections.js'
import { type Admin, generatePassword, validateAdmin } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'
import { createPlan, type Plan, type SettingValues } from './setup-plan.js'

type Engine = 'sqlite' | 'postgres' | 'mysql'
type FileStoreName = 'local-files' | 's3' | ''

const ENGINES: { value: Engine; name: string }[] = [
  { value: 'sqlite', name: 'a SQLite file (recommended for one server)' },
  { value: 'postgres', name: 'PostgreSQL' },
  { value: 'mysql', name: 'MySQL or MariaDB' },
]
const FILE_STORES: { value: FileStoreName; name: string }[] = [
  { value: 'local-files', name: 'in a folder' },
  { value: 's3', name: 'in a bucket of S3' },
  { value: '', name: 'nowhere: no files' },
]

/** The plan with every answer in it; database and file store were tried. Throws what stops the dialogue. */
export async function promptForPlan(plan: Plan, isDry: boolean, force: boolean | undefined, io: Io): Promise<Plan> {
  let asked = await promptUntilValid(
    plan,
    promptForDatabase,
    (next) => checkDatabase(next.config, isDry, io),
    force,
    io,
  )
  asked = await promptUntilValid(asked, promptForUrl, async () => undefined, force, io)
  return promptUntilValid(asked, promptForFileStore, (next) => checkFileStore(next.config, isDry, io), force, io)
}

/** Goes back to the question when what was answered does not work. */
async function promptUntilValid(
  plan: Plan,
  ask: (plan: Plan, io: Io) => Promise<SettingValues>,
  check: (plan: Plan) => Promise<string | undefined>,
  force: boolean | undefined,
  io: Io,
): Promise<Plan> {
  for (;;) {
    const answers = await ask(plan, io)
    try {
      const next = await createPlan(plan.path, { ...plan.chosen, ...answers }, force, io)
      const place = await check(next)
      if (place !== undefined) io.note(`ok: ${place}`)
      return next
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      const { message, hint } = describeError(error)
      for (const line of message.split('\n')) io.error(line)
      for (const cause of hint?.replace(/^usual causes: /, '').split('; ') ?? []) io.hint(cause)
    }
  }
}

async function promptForDatabase({ config }: Plan, io: Io): Promise<SettingValues> {
  const current = config.settings.storage as Engine
  const engine = await io.select('Where are secrets kept?', ENGINES, current)
  if (engine === 'sqlite') {
    if (current === 'sqlite') return {}
    return { databaseUrl: `sqlite:${await io.promptText('File:', 'data/mayfly.db')}` }
  }
  const isKept = engine === current && (await io.confirm('Keep its address?', true))
  if (isKept) return {}
  const text = await io.promptText('Address, without the password:', `${engine}://mayfly@localhost/mayfly`)
  const password = await io.promptHidden('password of the database (Enter: none)', 'use --database-url')
  return { databaseUrl: withPassword(text, password) }
}

async function promptForUrl({ config }: Plan, io: Io): Promise<SettingValues> {
  const { publicUrl, port } = config.settings
  const current = publicUrl || `http://localhost:${port}`
  const url = await io.promptText('Where will people reach it?', current)
  if (url.startsWith('http:'))
    io.warn('over http nobody can be sure that the page is yours, and copying is off in browsers')
  return url === current ? {} : { publicUrl: url }
}

async function promptForFileStore({ config }: Plan, io: Io): Promise<SettingValues> {
  const current = config.settings.files as FileStoreName
  const place = await io.select('Where are files kept?', FILE_STORES, current)
  if (place !== 's3') return place === current ? {} : { files: place }
  if (current === 's3' && (await io.confirm('Keep its settings?', true))) return {}
  const endpoint = await io.promptText('Address of the server (Enter: AWS):', '')
  const asPath = endpoint !== '' && (await io.confirm('Name the bucket in the path, as most of them need it?', true))
  return {
    files: 's3',
    's3.endpoint': endpoint,
    's3.pathStyle': String(asPath),
    's3.region': await io.promptText('Region:', 'us-east-1'),
    's3.bucket': await io.promptText('Bucket:', ''),
    's3.accessKeyId': await io.promptText('Access key (Enter: where the AWS tools look):', ''),
    's3.secretAccessKey': await io.promptHidden('its secret', 'use MAYFLY_S3_SECRET_ACCESS_KEY'),
  }
}

/** The first administrator; null when there is to be none yet. */
export async function promptForAdmin(io: Io): Promise<Admin | null> {
  if (!(await io.confirm('Make the first administrator now?', true))) return null
  for (;;) {
    const username = await io.promptText('Their user name:', 'admin')
    const email = await io.promptText('Their e-mail address:', '')
    const isGenerated = await io.confirm('Make a password for them?', true)
    const password = isGenerated
      ? generatePassword()
      : await io.promptHidden('their password', 'use --admin-password-file')
    try {
      return validateAdmin({ username, email, password, isGenerated })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      io.error(error.message)
    }
  }
}

/** Who may make accounts. */
export async function promptForSignUp(flags: SetupFlags, io: Io): Promise<SetupFlags> {
  if (flags.disableSignup || (await io.confirm('May people make accounts themselves?', true))) return flags
  return { ...flags, disableSignup: true }
}

function withPassword(address: string, password: string): string {
  if (password === '' || !URL.canParse(address)) return address
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}
