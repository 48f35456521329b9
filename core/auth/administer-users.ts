/** Administration of accounts. Administrators can list, change and delete accounts, but not read their secrets. */

import { isDeepStrictEqual } from 'node:util'
import type { App } from '../app.js'
import type { Note } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Role, User, UserChanges } from '../contracts/users.js'
import { createEvents, storeEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import type {
  Access,
  LockOutUser,
  ManagedAccount,
  RevokeUserAccess,
  Token,
  UpdateUser,
  Users,
} from '../shared/api/index.js'
import { sortGroups } from '../shared/policies.js'
import { securityFacts, tokenDeletedFacts, userSuspendedFacts } from './account-facts.js'
import { listChangedFields, throwEmailTaken, toManagedAccount } from './account-mapping.js'
import { assertEmailAllowed } from './account-policy.js'
import { listTokens } from './api-tokens.js'
import { createAccount, type NewUser } from './create-account.js'
import { deleteAccount } from './delete-account.js'
import { sendVerification } from './email-verification.js'
import { listAccess } from './list-access.js'
import { lockOut } from './lock-out.js'
import { findGraceEnd } from './second-factor-policy.js'
import { changeEmail, type NewPassword, setPassword } from './update-account.js'

export interface ListUsers {
  /** Part of a username or e-mail address; '' for all. */
  search: string
  role?: Role | undefined
  skip: number
  take: number
}

export async function listUsers(app: App, { search, role, skip, take }: ListUsers): Promise<Users> {
  const filter = { ...(search === '' ? {} : { search }), ...(role === undefined ? {} : { role }) }
  const found = await app.storage.users.list(filter, { skip, take }, app.now())
  const settings = await app.settings.current()
  const users = found.users.map((user) => {
    const { secrets, passkeys, authenticator } = user
    return { ...toManagedAccount(user), secrets, passkeys, authenticator, graceEndsAt: findGraceEnd(user, settings) }
  })
  return { users, total: found.total }
}

/** Works also when users cannot sign up. Throws AppError `auth.interactive` or an error of `createAccount`. */
export async function createUser(app: App, wanted: NewUser, caller: AuthContext): Promise<ManagedAccount> {
  assertNoToken(caller)
  const user = await createAccount(app, wanted)
  const detail = { role: user.role, ...(user.assignedGroups.length > 0 && groupsDetail(user.assignedGroups)) }
  await app.audit.note({ action: 'user.created', caller, subject: user.username, detail })
  await sendVerification(app, user, caller)
  return toManagedAccount(user)
}

/**
 * Changes the address, the role or the groups of a user, marks the address as verified, or suspends or resumes the
 * account. A new role ends every session of the user. A new administrator has to change the password before
 * administration, because it may be shorter than administrators need. Throws AppError `user.*` or `auth.email_domain`.
 */
export async function updateUser(app: App, wanted: UpdateUser, caller: AuthContext): Promise<ManagedAccount> {
  const { username, email, emailVerified, role, suspended } = wanted
  if ([email, emailVerified, role].some((field) => field !== undefined)) assertNoToken(caller)
  const user = await loadUser(app, username)
  const changes = await collectChanges(app, user, wanted)
  if (Object.keys(changes).length === 0) return toManagedAccount(user)
  const options = {
    ...(changes.role !== undefined && { endSessions: {} }),
    events: createEvents(app, [
      ...(changes.email === undefined ? [] : securityFacts(user.id, 'email')),
      ...(changes.role === undefined ? [] : securityFacts(user.id, 'role')),
      ...(changes.suspendedAt === undefined ? [] : userSuspendedFacts(user.id, suspended === true)),
    ]),
  }
  const changed = await app.storage.users.update(user.id, changes, options).catch(throwEmailTaken)
  if (!changed) throw new AppError('user.not_found', { field: 'username' })
  for (const entry of toAuditEntries(changes)) await app.audit.note({ ...entry, caller, subject: username })
  if (changes.email !== undefined) await sendVerification(app, changed, caller)
  return toManagedAccount(changed)
}

async function collectChanges(
  app: App,
  user: User,
  { email, emailVerified, role, groups, suspended }: UpdateUser,
): Promise<UserChanges> {
  const changes: UserChanges = {}
  if (email !== undefined && email !== user.email) {
    assertEmailAllowed(email, await app.settings.current())
    Object.assign(changes, changeEmail(user, email, app.now()))
  }
  if (emailVerified && (changes.email !== undefined || user.emailVerified === null)) changes.emailVerified = app.now()
  if (suspended !== undefined && suspended !== (user.suspendedAt !== null))
    changes.suspendedAt = suspended ? app.now() : null
  if (role !== undefined && role !== user.role) changes.role = role
  if (changes.role === 'admin' && user.passwordHash !== null) changes.mustChangePassword = true
  const assigned = groups && sortGroups(groups)
  if (assigned && !isDeepStrictEqual(assigned, user.assignedGroups)) changes.assignedGroups = assigned
  return changes
}

function toAuditEntries(changes: UserChanges): Pick<Note, 'action' | 'detail'>[] {
  const { role, emailVerified, suspendedAt, assignedGroups } = changes
  const fields = listChangedFields(changes)
  return [
    ...(fields === ''
      ? []
      : [
          {
            action: 'user.changed' as const,
            detail: { fields, ...(role && { role }), ...groupsDetail(assignedGroups) },
          },
        ]),
    ...(typeof emailVerified === 'number' ? [{ action: 'user.verified' as const }] : []),
    ...(suspendedAt === undefined
      ? []
      : [{ action: suspendedAt === null ? ('user.resumed' as const) : ('user.suspended' as const) }]),
  ]
}

const groupsDetail = (groups: string[] | undefined) => (groups === undefined ? {} : { groups: groups.join(', ') })

/** Locks everyone out of the account. Throws AppError `auth.interactive` or an error of `setPassword`. */
export async function setUserPassword(
  app: App,
  username: string,
  wanted: NewPassword,
  caller: AuthContext,
): Promise<ManagedAccount> {
  assertNoToken(caller)
  const changed = await setPassword(app, await loadUser(app, username), wanted)
  await app.audit.note({ action: 'user.changed', caller, subject: username, detail: { fields: 'password' } })
  return toManagedAccount(changed)
}

/**
 * Locks everyone out of an account. With a password, only a user who knows it can sign in again. Throws AppError
 * `auth.last_way` or an error of `setPassword`.
 */
export async function lockOutUser(
  app: App,
  { username, password, keep }: LockOutUser,
  caller: AuthContext,
): Promise<ManagedAccount> {
  if (password !== undefined) {
    return setUserPassword(app, username, { password, mustChangePassword: true, keep }, caller)
  }
  const changed = await lockOut(app, await loadUser(app, username), { keep })
  if (!changed) throw new AppError('user.not_found', { field: 'username' })
  await app.audit.note({ action: 'user.locked_out', caller, subject: username })
  return toManagedAccount(changed)
}

/** Throws AppError `user.not_found`. */
export async function listUserAccess(app: App, username: string): Promise<Access> {
  return listAccess(app, (await loadUser(app, username)).id)
}

/**
 * Ends one session, API token, identity or webhook of a user. Throws AppError `access.not_found` or `user.not_found`.
 */
export async function revokeUserAccess(
  app: App,
  { username, kind, id }: RevokeUserAccess,
  caller: AuthContext,
): Promise<void> {
  const { sessions, tokens, users, userWebhooks } = app.storage
  const { id: userId } = await loadUser(app, username)
  const revoke = {
    session: () => sessions.end(id, userId),
    token: () => tokens.remove(id, userId, createEvents(app, tokenDeletedFacts(id, userId))),
    identity: () => users.unlinkIdentity(userId, id),
    webhook: async () => await userWebhooks.remove(id, userId),
    factor: () => removeFactor(app, userId, id),
  }
  if (!(await revoke[kind]())) throw new AppError('access.not_found', { field: 'id' })
  if (kind === 'webhook') await app.webhooks.invalidate()
  if (kind === 'identity' || kind === 'webhook' || kind === 'factor')
    await storeEvents(app, securityFacts(userId, kind))
  await app.audit.note({
    action: 'user.access_revoked',
    caller,
    subject: username,
    detail: { kind, id: id.slice(0, 16) },
  })
}

/** `id`: as `Access` lists it. */
async function removeFactor({ storage }: App, userId: string, id: string): Promise<boolean> {
  if (id === 'authenticator') return storage.factors.removeAuthenticator(userId)
  if (id === 'recovery-codes') return storage.factors.replaceRecoveryCodes(userId, [])
  return storage.factors.removePasskey(id, userId)
}

/** Throws AppError `user.not_found` or `user.last_admin`. */
export async function deleteUser(app: App, username: string, caller: AuthContext): Promise<ManagedAccount> {
  const user = await loadUser(app, username)
  await deleteAccount(app, user, caller)
  return toManagedAccount(user)
}

/**
 * Ends all sessions and deletes all API tokens of a user. Returns the number of ended sessions. Throws AppError
 * `user.not_found`.
 */
export async function endUserSessions(app: App, username: string, caller: AuthContext): Promise<number> {
  const user = await loadUser(app, username)
  const ended = await app.storage.sessions.endAll(user.id)
  const deleted = await app.storage.tokens.list(user.id, app.now())
  const told = deleted.length === 0 ? [] : securityFacts(user.id, 'token')
  await app.storage.users.update(user.id, {}, { deleteTokens: true, events: createEvents(app, told) })
  await app.audit.note({ action: 'session.ended', caller, subject: username, detail: { sessions: ended } })
  return ended
}

/**
 * Removes the passkeys, the authenticator app and the recovery codes of a user, and ends all sessions of the user. Does
 * nothing if there is none. Throws AppError `user.not_found`.
 */
export async function resetUserFactors(app: App, username: string, caller: AuthContext): Promise<ManagedAccount> {
  const user = await loadUser(app, username)
  if (await app.storage.factors.reset(user.id, createEvents(app, securityFacts(user.id, 'factor'))))
    await app.audit.note({ action: 'user.factors_reset', caller, subject: username })
  return toManagedAccount(user)
}

/** Throws AppError `user.not_found`. */
export async function listUserTokens(app: App, username: string): Promise<Token[]> {
  return listTokens(app, { userId: (await loadUser(app, username)).id })
}

/** Throws AppError `user.not_found` or `token.not_found`. */
export async function deleteUserToken(
  app: App,
  { username, id }: { username: string; id: string },
  caller: AuthContext,
): Promise<void> {
  const user = await loadUser(app, username)
  if (!(await app.storage.tokens.remove(id, user.id, createEvents(app, tokenDeletedFacts(id, user.id)))))
    throw new AppError('token.not_found')
  await app.audit.note({ action: 'token.deleted', caller, subject: id, detail: { user: username } })
}

/**
 * Roles, addresses and passwords lead to a session with more than an API token has: without its scopes, its expiry and
 * its addresses. Throws AppError `auth.interactive`.
 */
function assertNoToken({ tokenId }: AuthContext): void {
  if (tokenId !== null) throw new AppError('auth.interactive')
}

async function loadUser(app: App, username: string): Promise<User> {
  const user = await app.storage.users.find(username)
  if (!user) throw new AppError('user.not_found', { field: 'username' })
  return user
}
