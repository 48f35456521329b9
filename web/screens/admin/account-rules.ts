/** What the server asks of an account that is made for somebody, as far as a page can tell before it is sent. */
import type { PublicSettings } from '#shared/api'
import { ADMIN_PASSWORD_MIN } from '#shared/limits'
import { type Entries, wrongIn } from '../people/sign-up-rules.js'

export type { Entries, FieldName } from '../people/sign-up-rules.js'

/** In characters. */
export interface PasswordRange {
  min: number
  max: number
}

export const NO_ENTRIES: Entries = { email: '', username: '', password: '' }

export function passwordRange({ passwordMin, passwordMax }: PublicSettings['limits'], isAdmin: boolean): PasswordRange {
  return { min: isAdmin ? Math.max(passwordMin, ADMIN_PASSWORD_MIN) : passwordMin, max: passwordMax }
}

/** Which entries the server would refuse. A null range: the password is not asked for. */
export function wrongFields(entries: Entries, range: PasswordRange | null): (keyof Entries)[] {
  const length = [...entries.password].length
  return [
    ...(['email', 'username'] as const).filter((name) => wrongIn(name, entries)),
    ...(range && (length < range.min || length > range.max) ? (['password'] as const) : []),
  ]
}

/** As it is sent. */
export const trimmed = ({ email, username, password }: Entries): Entries => ({
  email: email.trim(),
  username: username.trim(),
  password,
})
