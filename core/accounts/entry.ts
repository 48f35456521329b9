/** Which accounts may come in at the moment, and which may come to be. Everyone who signs in by whatever way passes here. */
import type { User } from '../contracts/users.js'
import { AppError } from '../errors.js'
import type { CurrentSettings } from '../settings/service.js'

/** Throws AppError `auth.users_disabled`. */
export function checkMayEnter({ role }: Pick<User, 'role'>, { disable_users }: CurrentSettings): void {
  if (disable_users && role !== 'admin') throw new AppError('auth.users_disabled')
}

/** For an account that somebody makes for themselves. Throws AppError `auth.users_disabled` or `auth.sign_up_disabled`. */
export function checkMaySignUp(settings: CurrentSettings): void {
  checkMayEnter({ role: 'user' }, settings)
  if (settings.disable_user_account_creation) throw new AppError('auth.sign_up_disabled')
}

/** `email`: case-folded. Throws AppError `auth.email_domain`: for every account, whoever makes or changes it. */
export function checkEmail(email: string, { restrict_organization_email }: CurrentSettings): void {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (restrict_organization_email === '' || restrict_organization_email.split(',').includes(domain)) return
  throw new AppError('auth.email_domain', { field: 'email' })
}
