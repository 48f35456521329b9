/** What people do with their own account: make it, look at it, change it, delete it. */
import { randomBytes } from 'node:crypto'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { Role, User, UserChanges, UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../errors.js'
import type { Emit } from '../events.js'
import { hashPassword } from '../passwords.js'
import type { SettingsService } from '../settings/service.js'
import type { Account, PublicSettings, SignUp, UpdateAccount, Verified } from '../shared/api.js'
import { checkEmail, checkMaySignUp } from './entry.js'
import { checkNewPassword, type PasswordSettings } from './rules.js'
import type { OpenedSession } from './sessions.js'
import { LOCAL, type SignInService } from './sign-in.js'

interface Parts {
  users: UserStore
  sessions: Pick<SessionStore, 'list'>
  providers: AuthProvider[]
  signIn: SignInService
  instance: SettingsService
  settings: PasswordSettings
  emit: Emit
  audit: Audit
  /** Epoch ms. */
  now: () => number
  /** Called after somebody was deleted with all that was theirs: ends what they had not finished. */
  cleanUp: (userId: string) => Promise<void>
}

/** An account to be made. */
export interface NewUser {
  username: string
  email: string
  password: string
  role: Role
  generated: boolean
}

export type AccountsService = ReturnType<typeof accountsService>

/** How long a sign-in counts as one that somebody has just made. */
const FRESH_MS = 10 * 60_000

export function accountsService({ users, sessions, providers, signIn, instance, settings, ...parts }: Parts) {
  const { emit, audit, now, cleanUp } = parts
  /** With accounts that are kept elsewhere only, there is nothing to sign up for. */
  const hasOwnPasswords = () => providers.some(({ id }) => id === LOCAL)

  /** What a sign-in screen offers, in order, or need not offer; several that ask for a password are one. */
  function waysIn(): PublicSettings['providers'] {
    const asking = providers.find(({ password }) => password)
    return providers.flatMap((provider) => [
      ...(provider === asking ? [{ id: provider.id, label: '', kind: 'password' as const }] : []),
      ...(provider.redirect ? [{ id: provider.id, label: provider.redirect.label, kind: 'redirect' as const }] : []),
      ...(provider.header ? [{ id: provider.id, label: '', kind: 'header' as const, ...outOf(provider) }] : []),
    ])
  }

  async function maySignUp(): Promise<boolean> {
    if (!hasOwnPasswords()) return false
    const current = await instance.current()
    return !current.disable_users && !current.disable_user_account_creation
  }

  /** Throws AppError `auth.*` and `user.*_taken`. Always a `user`: no way over the web makes anything else. */
  async function signUp(body: SignUp, visitor: AuthContext, client: string): Promise<OpenedSession> {
    checkMaySignUp(await instance.current())
    if (!hasOwnPasswords()) throw new AppError('auth.sign_up_disabled')
    const user = await create({ ...body, role: 'user', generated: false })
    await audit({ action: 'account.created', caller: visitor, subject: user.username })
    return signIn.enter(user, visitor, client)
  }

  /** Makes an account with a password. The rules for it are kept; whether the caller may is checked before. */
  async function create(wanted: NewUser, options: { unlessAdmin?: boolean } = {}): Promise<User> {
    const { username, email, password, role, generated } = wanted
    checkEmail(email, await instance.current())
    await checkNewPassword({ password, username, role, field: 'password' }, settings)
    // Asked before the slow hash; the storage has the last word.
    await checkFree(username, email)
    const id = randomBytes(16).toString('base64url')
    const passwordHash = await hashPassword(password)
    const user: User = { id, username, email, passwordHash, role, generated, createdAt: now() }
    await users.create(user, options).catch(async (error) => {
      if (isAppError(error, 'storage.conflict')) await checkFree(username, email)
      throw error
    })
    await emit('user:created', { id, username, provider: LOCAL })
    return user
  }

  /** Another password, which ends every session of theirs. The rules for it are kept; whether the caller may is checked before. */
  async function setPassword({ id, username, role }: User, password: string, isGenerated: boolean): Promise<User> {
    await checkNewPassword({ password, username, role, field: 'password' }, settings)
    const changes = { passwordHash: await hashPassword(password), generated: isGenerated }
    const changed = await users.update(id, changes, { endSessions: {} })
    if (!changed) throw new AppError('user.not_found', { field: 'username' })
    return changed
  }

  async function checkFree(username: string, email: string): Promise<void> {
    if (await users.find(username)) throw new AppError('user.name_taken', { field: 'username' })
    if (await users.findByEmail(email)) throw new AppError('user.email_taken', { field: 'email' })
  }

  /** The caller as they are now. Throws AppError `auth.required`. */
  async function self({ userId }: AuthContext): Promise<User> {
    const user = userId === null ? null : await users.get(userId)
    if (!user) throw new AppError('auth.required')
    return user
  }

  async function verify(caller: AuthContext): Promise<Verified> {
    const { username, role, generated } = await self(caller)
    return { username, role, generated }
  }

  const read = async (caller: AuthContext): Promise<Account> => accountOf(await self(caller))

  /**
   * A new password ends every session. `opened` is the one that replaces the caller's. Throws AppError
   * `auth.password_wrong`, `auth.password_elsewhere`, `auth.sign_in_again`, `auth.password_common`, `auth.email_domain`,
   * `user.email_taken` or `request.invalid`.
   */
  async function update(
    body: UpdateAccount,
    caller: AuthContext,
    client: string,
  ): Promise<{ account: Account; opened: OpenedSession | null }> {
    const user = await self(caller)
    const { currentPassword, newPassword, email, generated } = body
    await checkOwn(user, currentPassword, 'currentPassword', caller)
    if (newPassword !== undefined && user.passwordHash === null) throw new AppError('auth.password_elsewhere')
    const changes: UserChanges = {}
    if (email !== undefined && email !== user.email) {
      checkEmail(email, await instance.current())
      changes.email = email
    }
    if (generated !== undefined) changes.generated = generated
    if (newPassword !== undefined) {
      const { username, role } = user
      await checkNewPassword({ password: newPassword, username, role, field: 'newPassword' }, settings)
      Object.assign(changes, { generated: false, passwordHash: await hashPassword(newPassword) })
    }
    if (Object.keys(changes).length === 0) return { account: accountOf(user), opened: null }
    const changed = await users
      .update(user.id, changes, newPassword === undefined ? {} : { endSessions: {} })
      .catch(taken)
    if (!changed) throw new AppError('auth.required')
    await audit({ action: 'account.changed', caller, detail: { fields: fieldsOf(changes) } })
    const isSession = newPassword !== undefined && caller.sessionId !== null
    return { account: accountOf(changed), opened: isSession ? await signIn.enter(changed, caller, client) : null }
  }

  /** Throws AppError `auth.password_wrong`, `auth.sign_in_again` or `user.last_admin`. */
  async function remove({ password }: { password?: string | undefined }, caller: AuthContext): Promise<string> {
    const user = await self(caller)
    await checkOwn(user, password, 'password', caller)
    await destroy(user, caller)
    return user.username
  }

  /** Deletes somebody with all that is theirs. Throws AppError `user.last_admin`. */
  async function destroy({ id, username }: User, by: AuthContext): Promise<void> {
    if (!(await users.remove(id, now()))) throw new AppError('user.not_found')
    await cleanUp(id)
    await audit({ action: by.userId === id ? 'account.deleted' : 'user.deleted', caller: by, subject: username })
    await emit('user:deleted', { id, username })
  }

  /** By the password; who has none must have proved elsewhere, and lately, who they are. */
  async function checkOwn(user: User, password: string | undefined, field: string, caller: AuthContext): Promise<void> {
    if (user.passwordHash === null) return checkFresh(caller)
    if (!(await signIn.verified(user, password ?? ''))) throw new AppError('auth.password_wrong', { field })
  }

  /** Throws AppError `auth.sign_in_again`. Whom a reverse proxy vouches for is vouched for with this very request. */
  async function checkFresh({ userId, sessionId, tokenId }: AuthContext): Promise<void> {
    if (sessionId === null && tokenId === null) return
    const own = userId === null ? [] : await sessions.list(userId, now())
    const session = own.find(({ id }) => id === sessionId)
    if (!session || now() - session.createdAt >= FRESH_MS) throw new AppError('auth.sign_in_again')
  }

  return { waysIn, maySignUp, signUp, create, setPassword, verify, read, update, remove, destroy, checkFresh }
}

const outOf = ({ signOutUrl }: AuthProvider) => (signOutUrl === undefined ? {} : { signOutUrl })

/** As its owner and administrators see it. */
export function accountOf({ username, email, role, generated, passwordHash, createdAt }: User): Account {
  return { username, email, role, generated, hasPassword: passwordHash !== null, createdAt }
}

/** The only thing of an account that can be changed to something that is taken is its address. */
export function taken(error: unknown): never {
  throw isAppError(error, 'storage.conflict') ? new AppError('user.email_taken', { field: 'email' }) : error
}

/** Names for the audit. */
export function fieldsOf(changes: UserChanges): string {
  const names = Object.keys(changes).map((name) => (name === 'passwordHash' ? 'password' : name))
  return names.filter((name) => name !== 'generated').join(' ')
}
