/** Passwords of secrets: from a file or a descriptor, typed, or made here; never from the value of a flag. */
import { readFile } from 'node:fs/promises'
import { passphrase } from '#shared/crypto/passphrase'
import { PASSWORD_MAX } from '#shared/limits'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'

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
  /** Made here, so that somebody has to be told. */
  isGenerated: boolean
}

const HOW = 'use --password-file or --password-fd'

/** The password that the flags name; undefined when they name none. Throws CliError `usage`. */
export async function givenPassword({ passwordFile, passwordFd }: PasswordFlags, io: Io): Promise<string | undefined> {
  if (passwordFile !== undefined && passwordFd !== undefined) {
    throw new CliError('usage', 'there are two passwords', 'use --password-file or --password-fd, not both')
  }
  if (passwordFile !== undefined) return checked(await contentOf('--password-file', resolvePath(io, passwordFile)))
  if (passwordFd === undefined) return undefined
  if (!/^\d{1,4}$/.test(passwordFd)) throw new CliError('usage', '--password-fd is not the number of a descriptor')
  if (passwordFd === '0' && io.isTty.stdin) return askForPassword(io)
  if (passwordFd === '0') return checked(await io.read('the password', 4 * PASSWORD_MAX + 2))
  return checked(await contentOf('--password-fd', `/dev/fd/${passwordFd}`))
}

/** Asks for the password of a secret. */
export const askForPassword = (io: Io): Promise<string> => io.askHidden('password', HOW)

/** The password of a new secret; null when there is to be none. Throws CliError `usage`. */
export async function newPassword(flags: NewPasswordFlags, io: Io): Promise<NewPassword | null> {
  const ways = [flags.password, flags.generatePassword, flags.passwordFile, flags.passwordFd].filter(Boolean)
  if (ways.length > 1) {
    throw new CliError(
      'usage',
      'there are two passwords',
      'use one of --password, --generate-password, --password-file, --password-fd',
    )
  }
  if (flags.generatePassword) return { password: passphrase(), isGenerated: true }
  const password = flags.password ? await askTwice(io) : await givenPassword(flags, io)
  return password === undefined ? null : { password, isGenerated: false }
}

async function askTwice(io: Io): Promise<string> {
  for (;;) {
    const first = await io.askHidden('password', HOW)
    if (first !== '' && first === (await io.askHidden('same password again', HOW))) return first
    io.warn(first === '' ? 'the password is empty' : 'these were two different passwords')
  }
}

async function contentOf(flag: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new CliError('usage', `${flag} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** One line, of which the end is dropped. */
function checked(bytes: Buffer | null): string {
  const text = bytes && decoded(bytes)?.replace(/\r?\n$/, '')
  if (!text) throw new CliError('usage', 'the password is empty, too long or not text')
  if (/[\r\n]/.test(text)) throw new CliError('usage', 'the password is more than one line')
  return text
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
