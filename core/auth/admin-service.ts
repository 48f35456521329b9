/** What administrators do with accounts. They can list, change and delete accounts, but not read their secrets. */

import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { TokenStore } from '../contracts/tokens.js'
import type { Role, User, UserChanges, UserStore } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { Account, Token, UpdateUser, Users } from '../shared/api/index.js'
import { listChangedFields, throwEmailTaken, toAccount } from './account-mapping.js'
import { assertEmailAllowed } from './account-policy.js'
import type { AccountsService } from './account-service.js'
import type { TokensService } from './api-tokens.js'
import type { NewUser } from './create-account.js'
import type { EmailVerificationService } from './email-verification.js'

interface Deps {
  users: UserStore
  sessions: SessionStore
  tokens: Pick<TokensService, 'list'>
  tokenStore: Pick<TokenStore, 'remove'>
  accounts: Pick<AccountsService, 'create' | 'setPassword' | 'delete'>
  instance: SettingsService
  audit: Audit
  verification: Pick<EmailVerificationService, 'send'>
  /** Epoch ms. */
  now: () => number
}

export interface ListUsers {
  /** Part of a username or e-mail address; '' for all. */
  search: string
  role?: Role | undefined
  skip: number
  take: number
}

export type AdminService = ReturnType<typeof adminService>

export const adminService = (deps: Deps) => ({
  list: listUsers.bind(null, deps),
  create: createUser.bind(null, deps),
  update: updateUser.bind(null, deps),
  setPassword: setUserPassword.bind(null, deps),
  remove: deleteUser.bind(null, deps),
  endSessions: endUserSessions.bind(null, deps),
  listTokens: listUserTokens.bind(null, deps),
  deleteToken: deleteUserToken.bind(null, deps),
})

export async function listUsers({ users, now }: Deps, { search, role, skip, take }: ListUsers): Promise<Users> {
  const filter = { ...(search === '' ? {} : { search }), ...(role === undefined ? {} : { role }) }
  const found = await users.list(filter, { skip, take }, now())
  return {
    users: found.users.map((user) => ({ ...toAccount(user), secrets: user.secrets })),
    total: found.total,
  }
}

/** Works also when users cannot sign up. Throws what `createAccount` throws. */
export async function createUser(
  { accounts, audit, verification }: Deps,
  wanted: NewUser,
  caller: AuthContext,
): Promise<Account> {
  const user = await accounts.create(wanted)
  await audit({ action: 'user.created', caller, subject: user.username, detail: { role: user.role } })
  await verification.send(user, caller)
  return toAccount(user)
}

/**
 * Changes the address or the role of a user. A new role ends every session of the user. A new administrator has to change
 * the password before administration, because it may be shorter than administrators need. Throws AppError `user.*` or `auth.email_domain`.
 */
export async function updateUser(
  { users, instance, audit, verification }: Deps,
  { username, email, role }: UpdateUser,
  caller: AuthContext,
): Promise<Account> {
  const user = await loadUser(users, username)
  const changes: UserChanges = {}
  if (email !== undefined && email !== user.email) {
    assertEmailAllowed(email, await instance.current())
    Object.assign(changes, { email, emailVerified: null })
  }
  if (role !== undefined && role !== user.role) changes.role = role
  if (changes.role === 'admin' && user.passwordHash !== null) changes.mustChangePassword = true
  if (Object.keys(changes).length === 0) return toAccount(user)
  const options = changes.role === undefined ? {} : { endSessions: {} }
  const changed = await users.update(user.id, changes, options).catch(throwEmailTaken)
  if (!changed) throw new AppError('user.not_found', { field: 'username' })
  const detail = { fields: listChangedFields(changes), ...(changes.role === undefined ? {} : { role: changes.role }) }
  await audit({ action: 'user.changed', caller, subject: username, detail })
  if (changes.email !== undefined) await verification.send(changed, caller)
  return toAccount(changed)
}

/** Ends every session and API token of the user. `mustChangePassword`: the user should change it. Throws AppError `user.not_found` or `auth.password_common`. */
export async function setUserPassword(
  { users, accounts, audit }: Deps,
  username: string,
  password: string,
  mustChangePassword: boolean,
  caller: AuthContext,
): Promise<Account> {
  const changed = await accounts.setPassword(await loadUser(users, username), password, mustChangePassword)
  await audit({ action: 'user.changed', caller, subject: username, detail: { fields: 'password' } })
  return toAccount(changed)
}

/** Throws AppError `user.not_found` or `user.last_admin`. */
export async function deleteUser({ users, accounts }: Deps, username: string, caller: AuthContext): Promise<Account> {
  const user = await loadUser(users, username)
  await accounts.delete(user, caller)
  return toAccount(user)
}

/** Ends all sessions and deletes all API tokens of a user. Returns the number of ended sessions. Throws AppError `user.not_found`. */
export async function endUserSessions(
  { users, sessions, audit }: Deps,
  username: string,
  caller: AuthContext,
): Promise<number> {
  const user = await loadUser(users, username)
  const ended = await sessions.endAll(user.id)
  await users.update(user.id, {}, { deleteTokens: true })
  await audit({ action: 'session.ended', caller, subject: username, detail: { sessions: ended } })
  return ended
}

/** Throws AppError `user.not_found`. */
export async function listUserTokens({ users, tokens }: Deps, username: string): Promise<Token[]> {
  return tokens.list({ userId: (await loadUser(users, username)).id })
}

/** Throws AppError `user.not_found` or `token.not_found`. */
export async function deleteUserToken(
  { users, tokenStore, audit }: Deps,
  { username, id }: { username: string; id: string },
  caller: AuthContext,
): Promise<void> {
  const user = await loadUser(users, username)
  if (!(await tokenStore.remove(id, user.id))) throw new AppError('token.not_found')
  await audit({ action: 'token.deleted', caller, subject: id, detail: { user: username } })
}

async function loadUser(users: UserStore, username: string): Promise<User> {
  const user = await users.find(username)
  if (!user) throw new AppError('user.not_found', { field: 'username' })
  return user
}
