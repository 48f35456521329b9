/** Policies: who may sign in and who may register. They apply to every provider. */
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { CurrentSettings } from '../settings/create-settings.js'

/** Throws AppError `auth.suspended` or `auth.users_disabled`. */
export function assertCanSignIn(
  { role, suspendedAt }: Pick<User, 'role' | 'suspendedAt'>,
  { disable_users }: CurrentSettings,
): void {
  if (suspendedAt !== null) throw new AppError('auth.suspended')
  if (disable_users && role !== 'admin') throw new AppError('auth.users_disabled')
}

/** For users who create their own account. Throws AppError `auth.users_disabled` or `auth.sign_up_disabled`. */
export function assertCanSignUp(settings: CurrentSettings): void {
  assertCanSignIn({ role: 'user', suspendedAt: null }, settings)
  if (settings.disable_user_account_creation) throw new AppError('auth.sign_up_disabled')
}

/**
 * Applies to every account, also if an administrator creates it. `email`: case-folded. Throws AppError
 * `auth.email_domain`.
 */
export function assertEmailAllowed(email: string, { restrict_organization_email }: CurrentSettings): void {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (restrict_organization_email === '' || restrict_organization_email.split(',').includes(domain)) return
  throw new AppError('auth.email_domain', { field: 'email' })
}
