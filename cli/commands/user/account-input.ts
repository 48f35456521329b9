/** What people type for users and tokens, checked with the schemas of the API. */
import type { z } from '#core'
import { passphrase } from '#shared/crypto/passphrase'
import { FIELD_FLAGS } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { type NewPassword, type PasswordFlags, resolveNewPassword } from '../../secrets/secret-password.js'

/** The values as the schema gives them out. Throws CliError `usage` that names the flag. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, values: z.input<Schema>): z.output<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = String(issue?.path[0] ?? '')
  throw new CliError('usage', `${FIELD_FLAGS[field] ?? field}: ${issue?.message ?? 'is not valid'}`)
}

/** The one word that a command needs. Throws CliError `usage`. */
export function requireOneArgument(words: string[], what: string): string {
  const [first, ...others] = words
  if (first === undefined) throw new CliError('usage', `${what} is missing`, 'see --help')
  if (others.length > 0) throw new CliError('usage', `there is more than ${what}`, 'see --help')
  return first
}

export interface AccountPasswordFlags extends PasswordFlags {
  generate?: true
  password?: true
}

/** The password that the flags name, or a new one of at most `max` characters. Throws CliError `usage`. */
export async function resolveAccountPassword(flags: AccountPasswordFlags, max: number, io: Io): Promise<NewPassword> {
  if (flags.generate && hasPasswordFlag(flags)) {
    throw new CliError('usage', 'there are two passwords', 'leave out --generate, or the one you chose')
  }
  return (await resolveNewPassword(flags, io)) ?? { password: generatePassphrase(max), isGenerated: true }
}

/** True when the flags name a password. */
export const hasPasswordFlag = ({ password, passwordFile, passwordFd }: AccountPasswordFlags): boolean =>
  password === true || passwordFile !== undefined || passwordFd !== undefined

/** Drawn until it fits, so that none that fits is likelier than another. */
function generatePassphrase(max: number): string {
  for (;;) {
    const password = passphrase()
    if (password.length <= max) return password
  }
}
