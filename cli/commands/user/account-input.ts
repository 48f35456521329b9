/** What people type for users and tokens, checked with the schemas of the API. */
import type { z } from '#core'
import { passphrase } from '#shared/crypto/passphrase'
import { FLAGS } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { type NewPassword, newPassword, type PasswordFlags } from '../../secrets/secret-password.js'

/** The values as the schema gives them out. Throws CliError `usage` that names the flag. */
export function parsed<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = String(issue?.path[0] ?? '')
  throw new CliError('usage', `${FLAGS[field] ?? field}: ${issue?.message ?? 'is not valid'}`)
}

/** The one word that a command needs. Throws CliError `usage`. */
export function word(words: string[], what: string): string {
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
export async function chosenPassword(flags: AccountPasswordFlags, max: number, io: Io): Promise<NewPassword> {
  if (flags.generate && isChosen(flags)) {
    throw new CliError('usage', 'there are two passwords', 'leave out --generate, or the one you chose')
  }
  return (await newPassword(flags, io)) ?? { password: generated(max), isGenerated: true }
}

/** True when the flags name a password. */
export const isChosen = ({ password, passwordFile, passwordFd }: AccountPasswordFlags): boolean =>
  password === true || passwordFile !== undefined || passwordFd !== undefined

/** Drawn until it fits, so that none that fits is likelier than another. */
function generated(max: number): string {
  for (;;) {
    const password = passphrase()
    if (password.length <= max) return password
  }
}
