import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { KeptAccess, User, UserChanges } from '../contracts/users.js'
import { createEvents } from '../events/durable-events.js'
import { AppError, fieldError } from '../lib/errors.js'
import type { Account, LockOut, UpdateAccount } from '../shared/api/index.js'
import { securityFacts } from './account-facts.js'
import { listChangedFields, throwEmailTaken, toAccount } from './account-mapping.js'
import { assertEmailAllowed } from './account-policy.js'
import { sendVerification } from './email-verification.js'
import { listFactorIds } from './list-access.js'
import { lockOut } from './lock-out.js'
import { assertNewPassword } from './password-policy.js'
import type { RequestHeaders } from './request-headers.js'
import { assertUnrestricted } from './second-factor-policy.js'
import type { OpenedSession } from './sessions.js'
import { type NewSession, openAuditedSession } from './sign-in.js'
import { assertOwner, loadSelf } from './verify-caller.js'

/** How long a former address gets messages about changes of the account. */
const FORMER_EMAIL_MS = 7 * 24 * 60 * 60_000

/**
 * Changes the caller's own account. A new password locks everyone out, but keeps identities, second factors and
 * webhooks, which the user sees on the account pages. `opened` replaces the session of the caller. Throws AppError
 * `auth.password_wrong`, `auth.password_elsewhere`, `auth.proof_required`, `auth.password_common`, `auth.email_domain`,
 * `user.email_taken`, `request.invalid`, or an error of `assertUnrestricted`.
 */
export async function updateAccount(
  app: App,
  body: UpdateAccount,
  caller: AuthContext,
  { client, acceptLanguage }: RequestHeaders,
): Promise<{ account: Account; opened: OpenedSession | null }> {
  // A restricted caller may only replace a password that someone else knows.
  if (!caller.mustChangePassword || body.email !== undefined) assertUnrestricted(caller)
  const user = await loadSelf(app, caller)
  await assertOwner(app, user, { password: body.currentPassword, field: 'currentPassword' }, caller)
  const changes = await buildChanges(app, user, body)
  if (Object.keys(changes).length === 0) return { account: toAccount(user), opened: null }
  const hasNewPassword = changes.passwordHash !== undefined
  const told = changes.email === undefined ? [] : securityFacts(user.id, 'email')
  const changed = hasNewPassword
    ? await lockOut(app, user, { changes, keep: await keepSignInMethods(app, user.id) }).catch(throwEmailTaken)
    : await app.storage.users.update(user.id, changes, { events: createEvents(app, told) }).catch(throwEmailTaken)
  if (!changed) throw new AppError('auth.required')
  await app.audit.note({ action: 'account.changed', caller, detail: { fields: listChangedFields(changes) } })
  if (changes.email !== undefined) await sendVerification(app, changed, caller, acceptLanguage)
  const needsSession = hasNewPassword && caller.sessionId !== null
  return {
    account: toAccount(changed),
    opened: needsSession ? await openAuditedSession(app, changed, caller, continueSession(caller, user, client)) : null,
  }
}

/**
 * Locks everyone out of the caller's own account, except the access that the caller keeps, and sets a new password, if
 * the account has one. The browser gets a new session. Throws AppError `auth.password_wrong`, `auth.proof_required`,
 * `auth.password_same`, `auth.last_way`, or an error of `setPassword`.
 */
export async function lockOutSelf(
  app: App,
  { currentPassword, newPassword, keep }: LockOut,
  caller: AuthContext,
  { client }: RequestHeaders,
): Promise<OpenedSession | null> {
  const user = await loadSelf(app, caller)
  await assertOwner(app, user, { password: currentPassword, field: 'currentPassword' }, caller)
  if (user.passwordHash !== null && newPassword === undefined) throw fieldError('newPassword', 'is required')
  const changes = await buildChanges(app, user, newPassword === undefined ? {} : { newPassword })
  const changed = await lockOut(app, user, { changes, keep })
  if (!changed) throw new AppError('auth.required')
  await app.audit.note({ action: 'account.locked_out', caller })
  return caller.sessionId === null
    ? null
    : openAuditedSession(app, changed, caller, continueSession(caller, user, client))
}

export interface NewPassword {
  password: string
  /** The user should change it. */
  mustChangePassword: boolean
  keep?: KeptAccess
}

/**
 * Sets the password of a user, and locks everyone out. The caller checks permissions before. Throws AppError
 * `request.invalid`, `auth.password_common`, `auth.password_same` or `user.not_found`.
 */
export async function setPassword(
  app: App,
  user: User,
  { password, mustChangePassword, keep = {} }: NewPassword,
): Promise<User> {
  await assertNewPassword({ user, password, field: 'password' }, app.config)
  const changes = { passwordHash: await app.hasher.hash(password), mustChangePassword }
  const changed = await lockOut(app, user, { changes, keep })
  if (!changed) throw new AppError('user.not_found', { field: 'username' })
  return changed
}

/**
 * Changes to a new, unverified address. The previous address, if verified, gets messages about changes for
 * `FORMER_EMAIL_MS`.
 */
export function changeEmail({ email, emailVerified, formerEmailUntil }: User, next: string, now: number): UserChanges {
  const isFormerKept = emailVerified === null || (formerEmailUntil !== null && formerEmailUntil > now)
  const former = isFormerKept ? {} : { formerEmail: email, formerEmailUntil: now + FORMER_EMAIL_MS }
  return { email: next, emailVerified: null, ...former }
}

/**
 * The session that replaces the caller's session. For an account with a password and without a second factor, the
 * password that the caller has just sent is the proof.
 */
function continueSession(
  { level, provenAt, secondFactor }: AuthContext,
  { passwordHash }: User,
  client: string,
): NewSession {
  const isProven = passwordHash !== null && !secondFactor
  return { client, level: level === 2 ? 2 : 1, provenAt: isProven ? null : provenAt }
}

async function keepSignInMethods(app: App, userId: string): Promise<KeptAccess> {
  const { storage } = app
  const [identities, hooks, factors] = await Promise.all([
    storage.users.listIdentities(userId),
    storage.userWebhooks.list(userId),
    listFactorIds(app, userId),
  ])
  return { identities: identities.map(({ id }) => id), webhooks: hooks.map(({ id }) => id), factors }
}

async function buildChanges(
  app: App,
  user: User,
  { newPassword, email, generated }: UpdateAccount,
): Promise<UserChanges> {
  const { email: oldEmail, passwordHash, mustChangePassword } = user
  if (newPassword !== undefined && passwordHash === null) throw new AppError('auth.password_elsewhere')
  const changes: UserChanges = {}
  if (email !== undefined && email !== oldEmail) {
    assertEmailAllowed(email, await app.settings.current())
    Object.assign(changes, changeEmail(user, email, app.now()))
  }
  if (mustChangePassword && generated === false && newPassword === undefined)
    throw fieldError('generated', 'needs a new password')
  if (generated !== undefined) changes.mustChangePassword = generated
  if (newPassword !== undefined) {
    await assertNewPassword({ user, password: newPassword, field: 'newPassword' }, app.config)
    Object.assign(changes, { mustChangePassword: false, passwordHash: await app.hasher.hash(newPassword) })
  }
  return changes
}
