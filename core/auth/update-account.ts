import type { AuthContext } from '../contracts/auth-context.js'
import type { User, UserChanges } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { Account, UpdateAccount } from '../shared/api/index.js'
import type { AccountDeps } from './account-deps.js'
import { listChangedFields, throwEmailTaken, toAccount } from './account-mapping.js'
import { assertEmailAllowed } from './account-policy.js'
import { assertPasswordAllowed } from './password-policy.js'
import type { RequestHeaders } from './request-headers.js'
import type { OpenedSession } from './session-service.js'
import { assertOwner, loadSelf } from './verify-caller.js'

/** With a new password: someone who knew the old one may have a session or an API token. */
const END_ACCESS = { endSessions: {}, deleteTokens: true }

/**
 * Changes the caller's own account. A new password ends every session and API token; `opened` replaces the session of the caller. Throws
 * AppError `auth.password_wrong`, `auth.password_elsewhere`, `auth.sign_in_again`, `auth.password_common`,
 * `auth.email_domain`, `user.email_taken` or `request.invalid`.
 */
export async function updateAccount(
  deps: AccountDeps,
  body: UpdateAccount,
  caller: AuthContext,
  { client, acceptLanguage }: RequestHeaders,
): Promise<{ account: Account; opened: OpenedSession | null }> {
  const { users, audit, signIn, verification } = deps
  const user = await loadSelf(deps, caller)
  await assertOwner(deps, user, { password: body.currentPassword, field: 'currentPassword' }, caller)
  const changes = await buildChanges(deps, user, body)
  if (Object.keys(changes).length === 0) return { account: toAccount(user), opened: null }
  const hasNewPassword = changes.passwordHash !== undefined
  const changed = await users.update(user.id, changes, hasNewPassword ? END_ACCESS : {}).catch(throwEmailTaken)
  if (!changed) throw new AppError('auth.required')
  await audit({ action: 'account.changed', caller, detail: { fields: listChangedFields(changes) } })
  if (changes.email !== undefined) await verification.send(changed, caller, acceptLanguage)
  const needsSession = hasNewPassword && caller.sessionId !== null
  return {
    account: toAccount(changed),
    opened: needsSession ? await signIn.openSession(changed, caller, client) : null,
  }
}

/**
 * Sets the password of a user and ends every session and API token of that user. The caller checks permissions before. `mustChangePassword`: the
 * user should change it. Throws AppError `request.invalid`, `auth.password_common` or `user.not_found`.
 */
export async function setPassword(
  { users, settings, hasher }: AccountDeps,
  { id, username, role }: User,
  password: string,
  mustChangePassword: boolean,
): Promise<User> {
  await assertPasswordAllowed({ password, username, role, field: 'password' }, settings)
  const changes = { passwordHash: await hasher.hash(password), mustChangePassword }
  const changed = await users.update(id, changes, END_ACCESS)
  if (!changed) throw new AppError('user.not_found', { field: 'username' })
  return changed
}

async function buildChanges(
  { instance, settings, hasher }: AccountDeps,
  { username, role, email: oldEmail, passwordHash, mustChangePassword }: User,
  { newPassword, email, generated }: UpdateAccount,
): Promise<UserChanges> {
  if (newPassword !== undefined && passwordHash === null) throw new AppError('auth.password_elsewhere')
  const changes: UserChanges = {}
  if (email !== undefined && email !== oldEmail) {
    assertEmailAllowed(email, await instance.current())
    Object.assign(changes, { email, emailVerified: null })
  }
  if (mustChangePassword && generated === false && newPassword === undefined)
    throw new AppError('request.invalid', { field: 'generated', message: 'generated: needs a new password' })
  if (generated !== undefined) changes.mustChangePassword = generated
  if (newPassword !== undefined) {
    await assertPasswordAllowed({ password: newPassword, username, role, field: 'newPassword' }, settings)
    Object.assign(changes, { mustChangePassword: false, passwordHash: await hasher.hash(newPassword) })
  }
  return changes
}
