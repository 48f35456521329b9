/** What a new password must be. */
import type { Role } from '../contracts/users.js'
import { AppError } from '../errors.js'
import { ADMIN_PASSWORD_MIN } from '../shared/limits.js'

/** How many of the most common passwords are refused, those that are too short anyway not counted. */
const COMMON = 3000
const COMMON_SHORTEST = 5
const PRODUCT = 'mayfly'

export interface PasswordSettings {
  passwordMin: number
  passwordMax: number
}

interface NewPassword {
  password: string
  /** Whose it is to be. */
  username: string
  role: Role
  /** The field of the request. */
  field: string
}

/** Throws AppError `request.invalid` or `auth.password_common` naming the field. Lengths count characters, after NFC. */
export async function checkNewPassword(
  { password, username, role, field }: NewPassword,
  { passwordMin, passwordMax }: PasswordSettings,
): Promise<void> {
  const min = role === 'admin' ? Math.max(passwordMin, ADMIN_PASSWORD_MIN) : passwordMin
  const normal = password.normalize('NFC')
  const length = [...normal].length
  if (length < min || length > passwordMax) {
    throw new AppError('request.invalid', { field, message: `${field}: must have ${min} to ${passwordMax} characters` })
  }
  const lower = normal.toLowerCase()
  if (isMadeOf(lower, [username, PRODUCT]) || (await common()).has(lower)) {
    throw new AppError('auth.password_common', { field })
  }
}

/** True for `alice`, `alice2026!` and `mayfly-alice`: nothing in it but these words, digits and signs. */
function isMadeOf(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password)
  return rest !== password && !/\p{L}/u.test(rest)
}

let list: Promise<Set<string>> | undefined

/** Loaded when the first password is chosen: most processes never need it. */
function common(): Promise<Set<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranked = dictionary['passwords-common'].filter((text) => String(text).length >= COMMON_SHORTEST)
    return new Set(ranked.slice(0, COMMON).map(String))
  })
  return list
}
