/** Passwords from a file, a file descriptor, a prompt or the generator; never from a flag value. */
import { passphrase } from '#shared/crypto/passphrase'
import { PASSWORD_MAX } from '#shared/limits'
import { readNamedFile } from '../files/named-file.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'

export interface PasswordFlags {
  passwordFile?: string
  passwordFd?: string
}

export interface NewPasswordFlags extends PasswordFlags {
  password?: true
  generatePassword?: true
}

export interface NewPassword {
  password: string
  /** True when it must be printed. */
  isGenerated: boolean
}

const PASSWORD_HINT = 'use --password-file or --password-fd'

/**
 * Returns the password from --password-file or --password-fd; undefined without these flags. Throws CliError `usage`.
 */
export async function readPassword({ passwordFile, passwordFd }: PasswordFlags, io: Io): Promise<string | undefined> {
  if (passwordFile !== undefined && passwordFd !== undefined) {
    throw new CliError('usage', 'more than one password', 'use --password-file or --password-fd, not both')
  }
  if (passwordFile === '-' || passwordFd === '0') return readStdinPassword(io)
  if (passwordFile !== undefined) return parsePassword(await readNamedFile('--password-file', passwordFile, io))
  if (passwordFd === undefined) return undefined
  if (!/^\d{1,4}$/.test(passwordFd))
    throw new CliError('usage', '--password-fd must be the number of a file descriptor')
  return parsePassword(await readNamedFile('--password-fd', `/dev/fd/${passwordFd}`, io))
}

const readStdinPassword = async (io: Io): Promise<string> =>
  io.isTty.stdin ? promptForPassword(io) : parsePassword(await io.readStdin('the password', 4 * PASSWORD_MAX + 2))

/** Asks for the password of a secret. */
export const promptForPassword = (io: Io): Promise<string> => io.promptHidden('password', PASSWORD_HINT)

/** Returns the password of a new secret; null without one. Throws CliError `usage`. */
export async function resolveNewPassword(flags: NewPasswordFlags, io: Io): Promise<NewPassword | null> {
  const ways = [flags.password, flags.generatePassword, flags.passwordFile, flags.passwordFd].filter(Boolean)
  if (ways.length > 1) {
    throw new CliError(
      'usage',
      'more than one password',
      'use one of --password, --generate-password, --password-file, --password-fd',
    )
  }
  if (flags.generatePassword) return { password: passphrase(), isGenerated: true }
  const password = flags.password ? await promptTwice(io) : await readPassword(flags, io)
  return password === undefined ? null : { password, isGenerated: false }
}

async function promptTwice(io: Io): Promise<string> {
  for (;;) {
    const first = await io.promptHidden('password', PASSWORD_HINT)
    if (first !== '' && first === (await io.promptHidden('repeat password', PASSWORD_HINT))) return first
    io.warn(first === '' ? 'the password is empty' : 'the passwords differ')
  }
}

/** Returns one line of text without its line end. Throws CliError `usage`. */
function parsePassword(bytes: Buffer | null): string {
  const text = bytes && decodeUtf8(bytes)?.replace(/\r?\n$/, '')
  if (!text) throw new CliError('usage', 'the password is empty, too long or not UTF-8 text')
  if (/[\r\n]/.test(text)) throw new CliError('usage', 'the password has more than one line')
  return text
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
