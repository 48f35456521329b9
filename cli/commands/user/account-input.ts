/** Validates input for users and tokens with the schemas of the API. */
import type { z } from '#core'
import { UpdateUser } from '#shared/api'
import { passphrase } from '#shared/crypto/passphrase'
import { describeIssue } from '#shared/describe-issue'
import { lookUp } from '#shared/look-up'
import { FIELD_FLAGS } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { type NewPassword, type PasswordFlags, resolveNewPassword } from '../../secrets/secret-password.js'

/** Returns the parsed values. Throws CliError `usage` that names the flag. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = String(issue?.path[0] ?? '')
  throw new CliError('usage', `${lookUp(FIELD_FLAGS, field) ?? field}: ${describeIssue(issue)}`)
}

/** Returns the user name that is the only argument of a command. Throws CliError `usage`. */
export const parseUsername = (words: string[]): string =>
  parseInput(UpdateUser, { username: requireOneArgument(words, 'user name') }).username

/** Returns the only argument of a command. Throws CliError `usage` for none or several. */
export function requireOneArgument(words: string[], what: string): string {
  const [first, ...others] = words
  if (first === undefined) throw new CliError('usage', `missing argument: ${what}`, 'see --help')
  if (others.length > 0) throw new CliError('usage', `too many arguments, only ${what} is expected`, 'see --help')
  return first
}

export interface AccountPasswordFlags extends PasswordFlags {
  generate?: true
  password?: true
}

/** Returns the password from the flags, or a generated one of at most `max` characters. Throws CliError `usage`. */
export async function resolveAccountPassword(flags: AccountPasswordFlags, max: number, io: Io): Promise<NewPassword> {
  if (flags.generate && hasPasswordFlag(flags)) {
    throw new CliError('usage', 'more than one password', 'use --generate or a password flag, not both')
  }
  return (await resolveNewPassword(flags, io)) ?? { password: generatePassphrase(max), isGenerated: true }
}

/** True when the flags give a password. */
export const hasPasswordFlag = ({ password, passwordFile, passwordFd }: AccountPasswordFlags): boolean =>
  password === true || passwordFile !== undefined || passwordFd !== undefined

/** Repeats until the passphrase fits, so that all fitting passphrases are equally likely. */
function generatePassphrase(max: number): string {
  for (;;) {
    const password = passphrase()
    if (password.length <= max) return password
  }
}
