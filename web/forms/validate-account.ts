/** The server's requirements for an account, as far as the page can check it before sending. */
import type { PublicSettings } from '#shared/api'
import { ADMIN_PASSWORD_MIN } from '#shared/limits'

export const ACCOUNT_FIELDS = ['email', 'username', 'password'] as const

export type AccountField = (typeof ACCOUNT_FIELDS)[number]
export type AccountValues = Record<AccountField, string>

/** In characters, inclusive. */
export interface PasswordRange {
  min: number
  max: number
}

export const EMPTY_ACCOUNT: AccountValues = { email: '', username: '', password: '' }

const EMAIL = /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/
const USERNAME = /^\s*[A-Za-z0-9._-]{4,20}\s*$/

export const isEmail = (text: string): boolean => EMAIL.test(text)

/** Counts code points, as the server does. */
export function isPasswordLength(password: string, { min, max }: PasswordRange): boolean {
  const { length } = [...password]
  return length >= min && length <= max
}

export function passwordRange(
  { passwordMin, passwordMax }: Pick<PublicSettings['limits'], 'passwordMin' | 'passwordMax'>,
  isAdmin: boolean,
): PasswordRange {
  return { min: isAdmin ? Math.max(passwordMin, ADMIN_PASSWORD_MIN) : passwordMin, max: passwordMax }
}

/** The fields that the server would refuse. A null range: the form has no password. */
export function invalidAccountFields(values: AccountValues, range: PasswordRange | null): AccountField[] {
  const isValid: Record<AccountField, boolean> = {
    email: isEmail(values.email),
    username: USERNAME.test(values.username),
    password: range === null || isPasswordLength(values.password, range),
  }
  return ACCOUNT_FIELDS.filter((name) => !isValid[name])
}

/** The values as they are sent: spaces around a password are part of it. */
export const trimAccount = ({ email, username, password }: AccountValues): AccountValues => ({
  email: email.trim(),
  username: username.trim(),
  password,
})
