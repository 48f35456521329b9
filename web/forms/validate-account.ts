/** What the server asks of a new account, as far as a page can tell before it is sent. */
import type { PublicSettings } from '#shared/api'
import { ADMIN_PASSWORD_MIN } from '#shared/limits'

export const FIELDS = ['email', 'username', 'password'] as const

export type FieldName = (typeof FIELDS)[number]
export type Entries = Record<FieldName, string>

/** In characters. */
export interface PasswordRange {
  min: number
  max: number
}

export const NO_ENTRIES: Entries = { email: '', username: '', password: '' }

const EMAIL = /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/
const USERNAME = /^\s*[A-Za-z0-9_-]{4,20}\s*$/

export function passwordRange({ passwordMin, passwordMax }: PublicSettings['limits'], isAdmin: boolean): PasswordRange {
  return { min: isAdmin ? Math.max(passwordMin, ADMIN_PASSWORD_MIN) : passwordMin, max: passwordMax }
}

/** Which entries the server would refuse. A null range: the password is not asked for. */
export function wrongFields({ email, username, password }: Entries, range: PasswordRange | null): FieldName[] {
  const length = [...password].length
  const isWrong: Record<FieldName, boolean> = {
    email: !EMAIL.test(email),
    username: !USERNAME.test(username),
    password: range !== null && (length < range.min || length > range.max),
  }
  return FIELDS.filter((name) => isWrong[name])
}

/** As it is sent. */
export const trimmed = ({ email, username, password }: Entries): Entries => ({
  email: email.trim(),
  username: username.trim(),
  password,
})
