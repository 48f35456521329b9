/** The first administrator: reads the flags and creates the user. */
import { randomBytes } from 'node:crypto'
import { isAppError } from '#core'
import type { App } from '#core/runtime'
import { Email, Username } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { toMessage } from '../../output/sanitize.js'
import { readPassword } from '../../secrets/secret-password.js'
import type { SetupFlags } from './setup-flags.js'

export interface Admin {
  username: string
  email: string
  password: string
  isGenerated: boolean
}

/** Returns a password with 120 bits of entropy. */
export const generatePassword = (): string => randomBytes(15).toString('base64url')

/** Reads the administrator from flags and variables; null without them. Throws CliError `usage`. */
export async function readAdminFlags(flags: SetupFlags, io: Io): Promise<Admin | null> {
  const username = flags.adminUsername ?? io.env.MAYFLY_ADMIN_USERNAME
  const email = flags.adminEmail ?? io.env.MAYFLY_ADMIN_EMAIL
  if (!username && !email) return null
  const passwordFile = flags.adminPasswordFile ?? io.env.MAYFLY_ADMIN_PASSWORD_FILE
  if (flags.generateAdminPassword && flags.adminPasswordFile !== undefined) {
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
  const isGenerated = flags.generateAdminPassword === true
  const password = isGenerated ? generatePassword() : await readPassword({ passwordFile: passwordFile as string }, io)
  return validateAdmin({ username, email, password: password as string, isGenerated })
}

/** Validates user name and e-mail address as the API does. Throws CliError `usage`. */
export function validateAdmin(admin: Admin): Admin {
  const name = Username.safeParse(admin.username)
  const address = Email.safeParse(admin.email)
  if (!name.success) throw new CliError('usage', `--admin-username: ${describeIssue(name.error.issues[0])}`)
  if (!address.success) throw new CliError('usage', `--admin-email: ${describeIssue(address.error.issues[0])}`)
  return { ...admin, username: name.data, email: address.data }
}

/** Throws CliError: `usage` for a rejected password, `conflict` for a taken name or e-mail address. */
export async function createAdmin({ services }: App, { username, email, password, isGenerated }: Admin): Promise<void> {
  const wanted = { username, email, password, role: 'admin' as const, generated: isGenerated }
  const actor = { username: null, address: null }
  try {
    await services.accounts.create(wanted, { unlessAdmin: true })
    await services.audit.note({ action: 'user.created', caller: actor, subject: username, detail: { role: 'admin' } })
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new CliError(
      error.status === 409 ? 'conflict' : 'usage',
      toMessage(error.message.replace(/^password:/, 'the password')),
    )
  }
}
