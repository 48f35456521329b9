/** Password policy. */
import type { Role, User } from '../contracts/users.js'
import { AppError, fieldError } from '../lib/errors.js'
import { verifyPassword } from '../lib/password-hash.js'
import { ADMIN_PASSWORD_MIN } from '../shared/limits.js'

/** Number of common passwords that are refused, counted without those shorter than `COMMON_MIN_LENGTH`. */
const COMMON_COUNT = 3000
const COMMON_MIN_LENGTH = 5
const PRODUCT = 'mayfly'

/** In characters, after NFC normalization. */
export interface PasswordSettings {
  passwordMin: number
  passwordMax: number
}

interface NewPassword {
  password: string
  /** Of the user of the password. */
  username: string
  role: Role
  /** Name of the request field, for errors. */
  field: string
}

/** Minimum length of a password, in characters. */
export const passwordMinOf = (role: Role, { passwordMin }: Pick<PasswordSettings, 'passwordMin'>): number =>
  role === 'admin' ? Math.max(passwordMin, ADMIN_PASSWORD_MIN) : passwordMin

/** Throws AppError `request.invalid` for the length, or `auth.password_common`, with the field. */
export async function assertPasswordAllowed(
  { password, username, role, field }: NewPassword,
  { passwordMin, passwordMax }: PasswordSettings,
): Promise<void> {
  const min = passwordMinOf(role, { passwordMin })
  const normalized = password.normalize('NFC')
  const length = [...normalized].length
  if (length < min || length > passwordMax) {
    throw fieldError(field, `must have ${min} to ${passwordMax} characters`)
  }
  const lower = normalized.toLowerCase()
  if (isDerivedFrom(lower, [username, PRODUCT]) || (await loadCommonPasswords()).has(lower)) {
    throw new AppError('auth.password_common', { field })
  }
}

/**
 * Like `assertPasswordAllowed`, for a user with a password. Also throws AppError `auth.password_same` for the old
 * password.
 */
export async function assertNewPassword(
  { user: { username, role, passwordHash }, password, field }: { user: User; password: string; field: string },
  settings: PasswordSettings,
): Promise<void> {
  await assertPasswordAllowed({ password, username, role, field }, settings)
  if (passwordHash !== null && (await verifyPassword(passwordHash, password)))
    throw new AppError('auth.password_same', { field })
}

/** True for `alice`, `alice2026!` and `mayfly-alice`: the password consists of these words, digits and punctuation. */
function isDerivedFrom(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password)
  return rest !== password && !/\p{L}/u.test(rest)
}

let commonPasswords: Promise<Set<string>> | undefined

/** Loaded on first use, because most processes never need the list. */
function loadCommonPasswords(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranked = dictionary['passwords-common'].filter((text) => String(text).length >= COMMON_MIN_LENGTH)
    return new Set(ranked.slice(0, COMMON_COUNT).map(String))
  })
  return commonPasswords
}
