/** The first administrator: reads the flags and variables, and creates the user. */

import { randomBytes } from 'node:crypto'
import { isAppError } from '#core'
import type { Log, RunningApp } from '#core/runtime'
import { createAccount } from '#core/runtime'
import { Email, Username } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { toMessage } from '../../output/sanitize.js'
import type { SetupFlags } from './setup-flags.js'

export interface Admin {
  username: string
  email: string
  password: string
  isGenerated: boolean
}

/** Returns a password with 120 bits of entropy. */
export const generatePassword = (): string => randomBytes(15).toString('base64url')

/** Where each value comes from, for messages: a flag or a variable. */
type Sources = Record<'username' | 'email' | 'password', string>

const FLAGS: Sources = { username: '--admin-username', email: '--admin-email', password: '--admin-password-file' }
export const ADMIN_VARIABLES: Sources = {
  username: 'MAYFLY_ADMIN_USERNAME',
  email: 'MAYFLY_ADMIN_EMAIL',
  password: 'MAYFLY_ADMIN_PASSWORD_FILE',
}

/** Reads the administrator from flags and variables; null without them. Throws CliError `usage`. */
export async function readAdminFlags(flags: SetupFlags, io: Io): Promise<Admin | null> {
  const { adminUsername, adminEmail, adminPasswordFile } = flags
  const username = adminUsername ?? io.env[ADMIN_VARIABLES.username]
  const email = adminEmail ?? io.env[ADMIN_VARIABLES.email]
  if (!username && !email) return null
  const passwordFile = adminPasswordFile ?? io.env[ADMIN_VARIABLES.password]
  if (flags.generateAdminPassword && adminPasswordFile !== undefined) {
    throw new CliError(
      'usage',
      '--admin-password-file and --generate-admin-password exclude each other',
      'use one of them',
    )
  }
  if (!username || !email || !(passwordFile || flags.generateAdminPassword)) {
    const hint = 'use --admin-username, --admin-email, and --admin-password-file or --generate-admin-password'
    throw new CliError('usage', 'the administrator needs a user name, an e-mail address and a password', hint)
  }
  const sources = {
    username: adminUsername === undefined ? ADMIN_VARIABLES.username : FLAGS.username,
    email: adminEmail === undefined ? ADMIN_VARIABLES.email : FLAGS.email,
    password: adminPasswordFile === undefined ? ADMIN_VARIABLES.password : FLAGS.password,
  }
  const isGenerated = flags.generateAdminPassword === true
  const password = isGenerated ? generatePassword() : await readAdminPassword(passwordFile as string, sources, io)
  return validateAdmin({ username, email, password, isGenerated }, sources)
}

/**
 * Creates the first administrator from the variables while the instance has none. Several processes may do this at
 * once: one user is created. Throws CliError `usage` that names the variable.
 */
export async function createAdminFromVariables(app: RunningApp, log: Log, io: Io): Promise<void> {
  const [username, email, passwordFile] = Object.values(ADMIN_VARIABLES).map((name) => io.env[name] ?? '')
  if (!username && !email && !passwordFile) return
  if (await app.storage.users.hasAdmin()) return
  const missing = Object.values(ADMIN_VARIABLES).find((name) => !io.env[name])
  if (!username || !email || !passwordFile) {
    const hint = `set ${Object.values(ADMIN_VARIABLES).join(', ')}, or none of them`
    throw new CliError('usage', `${missing} is missing: the first administrator needs it`, hint)
  }
  const password = await readAdminPassword(passwordFile, ADMIN_VARIABLES, io)
  const admin = validateAdmin({ username, email, password, isGenerated: false }, ADMIN_VARIABLES)
  try {
    await addAdmin(app, admin)
  } catch (error) {
    if (!isAppError(error)) throw error
    // Another process was faster.
    if (await app.storage.users.hasAdmin()) return
    const field = (error.details.field ?? 'password') as keyof Sources
    const source = ADMIN_VARIABLES[error.code === 'auth.email_domain' ? 'email' : field]
    throw new CliError('usage', `${source}: ${toMessage(error.message.replace(/^password: /, ''))}`)
  }
  log.info('first administrator created from the variables', { username: admin.username })
}

async function readAdminPassword(file: string, sources: Sources, io: Io): Promise<string> {
  // Not at every start: it brings the words of generated passwords.
  const { readPassword } = await import('../../secrets/secret-password.js')
  try {
    return (await readPassword({ passwordFile: file }, io)) as string
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw new CliError(
      'usage',
      `${sources.password}: ${error.message.replace('cannot read --password-file', 'cannot read the file')}`,
    )
  }
}

/** Validates user name and e-mail address as the API does. Throws CliError `usage`. */
function validateAdmin(admin: Admin, sources: Sources): Admin {
  const name = Username.safeParse(admin.username)
  const address = Email.safeParse(admin.email)
  if (!name.success) throw new CliError('usage', `${sources.username}: ${describeIssue(name.error.issues[0])}`)
  if (!address.success) throw new CliError('usage', `${sources.email}: ${describeIssue(address.error.issues[0])}`)
  return { ...admin, username: name.data, email: address.data }
}

/** Throws CliError: `usage` for a rejected password, `conflict` for a taken name or e-mail address. */
export async function createAdmin(app: RunningApp, admin: Admin): Promise<void> {
  try {
    await addAdmin(app, admin)
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new CliError(
      error.status === 409 ? 'conflict' : 'usage',
      toMessage(error.message.replace(/^password:/, 'the password')),
    )
  }
}

/** Throws AppErrors, also when an administrator exists. */
async function addAdmin(app: RunningApp, { username, email, password, isGenerated }: Admin): Promise<void> {
  const wanted = { username, email, password, role: 'admin' as const, generated: isGenerated }
  const caller = { username: null, address: null }
  await createAccount(app, wanted, { unlessAdmin: true })
  await app.audit.note({ action: 'user.created', caller, subject: username, detail: { role: 'admin' } })
}
