/** The dialogue of `mayfly setup`. Every question shows what is in force, and Enter keeps it. */

import { CliError } from '../../lib/cli-error.js'
import { describe } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { tryDatabase, tryFiles } from './check-connections.js'
import { type Admin, checked, newPassword } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'
import { type Chosen, type Plan, planOf } from './setup-plan.js'

type Engine = 'sqlite' | 'postgres' | 'mysql'
type Place = 'local-files' | 's3' | ''

const ENGINES: { value: Engine; name: string }[] = [
  { value: 'sqlite', name: 'a SQLite file (recommended for one server)' },
  { value: 'postgres', name: 'PostgreSQL' },
  { value: 'mysql', name: 'MySQL or MariaDB' },
]
const PLACES: { value: Place; name: string }[] = [
  { value: 'local-files', name: 'in a folder' },
  { value: 's3', name: 'in a bucket of S3' },
  { value: '', name: 'nowhere: no files' },
]

/** The plan with every answer in it; database and file store were tried. Throws what stops the dialogue. */
export async function askForPlan(plan: Plan, isDry: boolean, force: boolean | undefined, io: Io): Promise<Plan> {
  let asked = await untilItWorks(plan, askForDatabase, (next) => tryDatabase(next.boot, isDry, io), force, io)
  asked = await untilItWorks(asked, askForAddress, async () => undefined, force, io)
  return untilItWorks(asked, askForFiles, (next) => tryFiles(next.boot, isDry, io), force, io)
}

/** Goes back to the question when what was answered does not work. */
async function untilItWorks(
  plan: Plan,
  ask: (plan: Plan, io: Io) => Promise<Chosen>,
  check: (plan: Plan) => Promise<string | undefined>,
  force: boolean | undefined,
  io: Io,
): Promise<Plan> {
  for (;;) {
    const answers = await ask(plan, io)
    try {
      const next = await planOf(plan.path, { ...plan.chosen, ...answers }, force, io)
      const place = await check(next)
      if (place !== undefined) io.note(`ok: ${place}`)
      return next
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      const { message, hint } = describe(error)
      for (const line of message.split('\n')) io.error(line)
      for (const cause of hint?.replace(/^usual causes: /, '').split('; ') ?? []) io.hint(cause)
    }
  }
}

async function askForDatabase({ boot }: Plan, io: Io): Promise<Chosen> {
  const current = boot.settings.storage as Engine
  const engine = await io.choose('Where are secrets kept?', ENGINES, current)
  if (engine === 'sqlite') {
    if (current === 'sqlite') return {}
    return { databaseUrl: `sqlite:${await io.ask('File:', 'data/mayfly.db')}` }
  }
  const isKept = engine === current && (await io.confirm('Keep its address?', true))
  if (isKept) return {}
  const text = await io.ask('Address, without the password:', `${engine}://mayfly@localhost/mayfly`)
  const password = await io.askHidden('password of the database (Enter: none)', 'use --database-url')
  return { databaseUrl: withPassword(text, password) }
}

async function askForAddress({ boot }: Plan, io: Io): Promise<Chosen> {
  const { publicUrl, port } = boot.settings
  const current = publicUrl || `http://localhost:${port}`
  const url = await io.ask('Where will people reach it?', current)
  if (url.startsWith('http:'))
    io.warn('over http nobody can be sure that the page is yours, and copying is off in browsers')
  return url === current ? {} : { publicUrl: url }
}

async function askForFiles({ boot }: Plan, io: Io): Promise<Chosen> {
  const current = boot.settings.files as Place
  const place = await io.choose('Where are files kept?', PLACES, current)
  if (place !== 's3') return place === current ? {} : { files: place }
  if (current === 's3' && (await io.confirm('Keep its settings?', true))) return {}
  const endpoint = await io.ask('Address of the server (Enter: AWS):', '')
  const asPath = endpoint !== '' && (await io.confirm('Name the bucket in the path, as most of them need it?', true))
  return {
    files: 's3',
    's3.endpoint': endpoint,
    's3.pathStyle': String(asPath),
    's3.region': await io.ask('Region:', 'us-east-1'),
    's3.bucket': await io.ask('Bucket:', ''),
    's3.accessKeyId': await io.ask('Access key (Enter: where the AWS tools look):', ''),
    's3.secretAccessKey': await io.askHidden('its secret', 'use MAYFLY_S3_SECRET_ACCESS_KEY'),
  }
}

/** The first administrator; null when there is to be none yet. */
export async function askForAdmin(io: Io): Promise<Admin | null> {
  if (!(await io.confirm('Make the first administrator now?', true))) return null
  for (;;) {
    const username = await io.ask('Their user name:', 'admin')
    const email = await io.ask('Their e-mail address:', '')
    const isGenerated = await io.confirm('Make a password for them?', true)
    const password = isGenerated ? newPassword() : await io.askHidden('their password', 'use --admin-password-file')
    try {
      return checked({ username, email, password, isGenerated })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      io.error(error.message)
    }
  }
}

/** Who may make accounts. */
export async function askForSignUp(flags: SetupFlags, io: Io): Promise<SetupFlags> {
  if (flags.disableSignup || (await io.confirm('May people make accounts themselves?', true))) return flags
  return { ...flags, disableSignup: true }
}

function withPassword(address: string, password: string): string {
  if (password === '' || !URL.canParse(address)) return address
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}
