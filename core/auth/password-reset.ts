/** Password reset by e-mail: a link that works once, for an hour. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { storeEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { RequestReset, ResetAccess, ResetPassword } from '../shared/api/index.js'
import { resetRequestedFacts } from './account-facts.js'
import { identifyDevice } from './known-devices.js'
import { createOneTimeLink, hashLinkToken, type OneTimeLink } from './link-token.js'
import { listAccess, listFactorIds } from './list-access.js'
import { lockOut } from './lock-out.js'
import { assertNewPassword, passwordMinOf } from './password-policy.js'
import { hasLocalPasswords } from './sign-in-methods.js'

/** Lifetime of a link. */
const HOUR_MS = 60 * 60_000

/** False: this instance does not send links, or does not have passwords. */
export const canResetPasswords = (app: App): boolean => app.settings.canVerifyEmail && hasLocalPasswords(app)

/**
 * Sends a link to the account with this address, if it has a password and someone has verified the address. Resolves in
 * the same way for every address. Throws AppError `request.invalid` if it is not enabled, or `limit.reached`.
 */
export async function requestReset(
  app: App,
  { email }: RequestReset,
  caller: AuthContext,
  { acceptLanguage = '', deviceCookie }: { acceptLanguage: string | undefined; deviceCookie: string | null },
): Promise<void> {
  if (!canResetPasswords(app)) throw new AppError('request.invalid', { message: 'This server sends no e-mail.' })
  const { limits } = app
  const user = await app.storage.users.findByEmail(email)
  const device = deviceCookie === null ? null : identifyDevice(app, user, deviceCookie)
  // Strangers cannot use up the requests of a browser in which the user has signed in.
  if (device === null) await limits.consume('password-reset-stranger', caller)
  else await limits.consume('password-reset-device', caller, device)
  // An address gets few messages, and the response is the same when the limit is reached.
  const allowed = await limits.tryConsume('password-reset-email', caller, email)
  if (!user || !canReset(user) || allowed?.granted === false) return
  void storeEvents(app, resetRequestedFacts(user, preferredLanguage(acceptLanguage)))
  await app.audit.note({ action: 'user.reset_requested', caller, subject: user.username })
}

/** Links are not sent to unverified addresses. */
const canReset = ({ passwordHash, suspendedAt, emailVerified }: User): boolean =>
  passwordHash !== null && suspendedAt === null && emailVerified !== null

/** Returns the access of the account of a link, and which passwords it accepts. Throws AppError `auth.reset_link`. */
export async function listResetAccess(app: App, token: string): Promise<ResetAccess> {
  const { id, username, role } = await findUser(app, hashLinkToken(token))
  // Second factors stay in any case.
  return { ...(await listAccess(app, id)), factors: [], username, passwordMin: passwordMinOf(role, app.config) }
}

/**
 * Sets a new password, and locks everyone out. Second factors stay. Throws AppError `auth.reset_link`,
 * `auth.password_common` or `request.invalid`.
 */
export async function resetPassword(
  app: App,
  { token, newPassword: password, keep = {} }: ResetPassword,
  caller: AuthContext,
): Promise<void> {
  const hash = hashLinkToken(token)
  const user = await findUser(app, hash)
  await assertNewPassword({ user, password, field: 'newPassword' }, app.config)
  const changed = await lockOut(app, user, {
    changes: { passwordHash: await app.hasher.hash(password), mustChangePassword: false },
    // A mailbox alone must not replace the second factor.
    keep: { ...keep, factors: await listFactorIds(app, user.id) },
    apply: async (order) => await app.storage.oneTimeLinks.resetPassword(hash, order, app.now()),
  })
  if (!changed) throw new AppError('auth.reset_link')
  await app.audit.note({ action: 'account.reset', caller, subject: user.username })
}

async function findUser(app: App, hash: string): Promise<User> {
  const user = await app.storage.oneTimeLinks.findReset(hash, app.now())
  if (!user || user.suspendedAt !== null) throw new AppError('auth.reset_link')
  return user
}

/** Stores a new reset, and returns the URL of its link. Throws AppError `storage.conflict` for an unknown user. */
export const createResetLink = (app: App, user: User): Promise<OneTimeLink> =>
  createOneTimeLink(app, user, { purpose: 'password-reset', page: 'reset-password', lifetimeMs: HOUR_MS })
