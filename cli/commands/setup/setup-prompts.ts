/** Prompts of `mayfly setup`. Each one offers the current value as default. */

import { Email, Username } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { checkDatabase, checkFileStore } from './check-connections.js'
import { type Admin, generatePassword } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'
import { createPlan, type Plan, type SettingValues } from './setup-plan.js'

type Engine = 'sqlite' | 'postgres' | 'mysql'
type ProxyLocation = 'here' | 'elsewhere' | 'none'
type FileStoreName = 'local-files' | 's3' | ''

const ENGINES: { value: Engine; name: string }[] = [
  { value: 'sqlite', name: 'SQLite file (recommended for one server)' },
  { value: 'postgres', name: 'PostgreSQL' },
  { value: 'mysql', name: 'MySQL or MariaDB' },
]
const FILE_STORES: { value: FileStoreName; name: string }[] = [
  { value: 'local-files', name: 'local folder' },
  { value: 's3', name: 'S3 bucket' },
  { value: '', name: 'none: no file uploads' },
]

const PROXIES: { value: ProxyLocation; name: string }[] = [
  { value: 'here', name: 'on this machine' },
  { value: 'elsewhere', name: 'on another machine' },
  { value: 'none', name: 'nowhere yet' },
]
const LOOPBACK = '127.0.0.1'

/** Prompts for database, URL, port, reverse proxy and file store, checks them, and returns the new plan. */
export async function promptForPlan(plan: Plan, isDry: boolean, io: Io): Promise<Plan> {
  let next = await promptUntilValid(plan, promptForDatabase, io, ({ config }) => checkDatabase(config, isDry))
  next = await promptUntilValid(next, promptForUrl, io)
  next = await promptUntilValid(next, promptForNetwork, io)
  return promptUntilValid(next, promptForFileStore, io, ({ config }) => checkFileStore(config, isDry))
}

/** Prompts again until the answers pass the check, which returns the location of the store. */
async function promptUntilValid(
  plan: Plan,
  promptForValues: (plan: Plan, io: Io) => Promise<SettingValues>,
  io: Io,
  check?: (plan: Plan) => Promise<string>,
): Promise<Plan> {
  for (;;) {
    const answers = await promptForValues(plan, io)
    try {
      const next = await createPlan({ ...plan, chosen: { ...plan.chosen, ...answers } }, io)
      if (check) io.note(`ok: ${await check(next)}`)
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
  const engine = await io.select('Where do you want to store secrets?', ENGINES, current)
  if (engine === 'sqlite') {
    if (current === 'sqlite') return {}
    return { databaseUrl: `sqlite:${await io.promptText('File:', 'data/mayfly.db')}` }
  }
  const isKept = engine === current && (await io.confirm('Keep the current database URL?', true))
  if (isKept) return {}
  const text = await io.promptText('Database URL, without the password:', `${engine}://mayfly@localhost/mayfly`)
  const password = await io.promptHidden('database password (Enter for none)', 'use --database-url')
  return { databaseUrl: withPassword(text, password) }
}

async function promptForUrl({ config }: Plan, io: Io): Promise<SettingValues> {
  const { publicUrl, port } = config.settings
  const current = publicUrl || `http://localhost:${port}`
  const url = await io.promptText('Public URL of this instance:', current)
  if (url.startsWith('http:')) io.warn('without https, connections are not protected and browsers cannot copy links')
  return url === current ? {} : { publicUrl: url }
}

/** An https address needs a reverse proxy, and the server must know which one to trust. */
async function promptForNetwork({ config }: Plan, io: Io): Promise<SettingValues> {
  const { publicUrl, trustedProxies } = config.settings
  const current = String(config.settings.port)
  const port = await io.promptText('Port to listen on:', current)
  const answers = port === current ? {} : { port }
  if (!publicUrl.startsWith('https:') || trustedProxies.length > 0) return answers
  const proxy = await io.select('Where does the reverse proxy run?', PROXIES, 'here')
  if (proxy === 'none') return answers
  if (proxy === 'here') return { ...answers, host: LOOPBACK, trustedProxies: LOOPBACK }
  return { ...answers, trustedProxies: await io.promptText('Address or CIDR range of the reverse proxy:', '') }
}

async function promptForFileStore({ config }: Plan, io: Io): Promise<SettingValues> {
  const current = config.settings.files as FileStoreName
  const fileStore = await io.select('Where do you want to store files?', FILE_STORES, current)
  if (fileStore !== 's3') return fileStore === current ? {} : { files: fileStore }
  if (current === 's3' && (await io.confirm('Keep the current S3 settings?', true))) return {}
  const endpoint = await io.promptText('S3 endpoint URL (Enter for AWS):', '')
  const asPath =
    endpoint !== '' && (await io.confirm('Put the bucket name in the path? Most servers other than AWS need it.', true))
  return {
    files: 's3',
    's3.endpoint': endpoint,
    's3.pathStyle': String(asPath),
    's3.region': await io.promptText('Region:', 'us-east-1'),
    's3.bucket': await io.promptText('Bucket:', ''),
    's3.accessKeyId': await io.promptText('Access key (Enter for the default AWS credentials):', ''),
    's3.secretAccessKey': await io.promptHidden('secret access key', 'use MAYFLY_S3_SECRET_ACCESS_KEY'),
  }
}

/** Prompts for the first administrator; null for none. */
export async function promptForAdmin(io: Io): Promise<Admin | null> {
  if (!(await io.confirm('Create the first administrator now?', true))) return null
  const username = await promptForValue('User name:', 'admin', Username, io)
  const email = await promptForValue('E-mail address:', '', Email, io)
  const isGenerated = await io.confirm('Generate a password?', true)
  const password = isGenerated ? generatePassword() : await io.promptHidden('password', 'use --admin-password-file')
  return { username, email, password, isGenerated }
}

/** Prompts again until the schema accepts the text. Returns it as the schema does. */
async function promptForValue(
  question: string,
  fallback: string,
  schema: typeof Username | typeof Email,
  io: Io,
): Promise<string> {
  for (;;) {
    const parsed = schema.safeParse(await io.promptText(question, fallback))
    if (parsed.success) return parsed.data
    io.error(describeIssue(parsed.error.issues[0]))
  }
}

/** Prompts for the sign-up policy. */
export async function promptForSignUp(flags: SetupFlags, io: Io): Promise<SetupFlags> {
  if (flags.disableSignup || (await io.confirm('Allow visitors to sign up?', true))) return flags
  return { ...flags, disableSignup: true }
}

function withPassword(address: string, password: string): string {
  if (password === '' || !URL.canParse(address)) return address
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}
