/** Signing in with a name and a password: the providers are asked in order, and the first who knows decides. */
import type { IncomingMessage } from 'node:http'
import { type AuthContext, toAuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { User, UserStore } from '../contracts/users.js'
import { AppError } from '../errors.js'
import type { LimitsService } from '../limits/service.js'
import { beginSignIn, signedIn } from '../limits/sign-in.js'
import { DUMMY_HASH, hashPassword, isOutdated, verifyPassword } from '../passwords.js'
import type { SettingsService } from '../settings/service.js'
import { type SignIn, Username } from '../shared/api.js'
import { checkMayEnter } from './entry.js'
import type { OpenedSession, SessionsService } from './sessions.js'

/** The provider that asks the passwords that are kept here. What it vouches for is the id of a user. */
export const LOCAL = 'local'

interface Parts {
  users: UserStore
  /** Those that config `auth` names, in its order; filled once every plugin is set up. */
  providers: AuthProvider[]
  sessions: SessionsService
  instance: SettingsService
  /** The account of somebody whom another provider vouches for. */
  accountOf(provider: AuthProvider, identity: Identity, caller: AuthContext): Promise<User>
  limits: LimitsService
  audit: Audit
}

export type SignInService = ReturnType<typeof signInService>

export function signInService({ users, providers, sessions, instance, accountOf, limits, audit }: Parts) {
  /** Throws AppError `auth.invalid_credentials`, the same for every reason, `auth.users_disabled` or `limit.reached`. */
  async function signIn({ username, password }: SignIn, visitor: AuthContext, client: string): Promise<OpenedSession> {
    const name = nameOf(username)
    const device = name !== null && visitor.username === name ? visitor.sessionId : null
    const attempt = { username, caller: visitor, device }
    await beginSignIn(limits, attempt)
    const user = await whoIs(username, password, visitor)
    if (!user) {
      await audit({ action: 'session.refused', caller: visitor, subject: name })
      throw new AppError('auth.invalid_credentials')
    }
    await signedIn(limits, attempt)
    return enter(user, visitor, client)
  }

  /** Opens a session for somebody who has proved who they are. Throws AppError `auth.users_disabled`. */
  async function enter(user: User, { address }: Pick<AuthContext, 'address'>, client: string): Promise<OpenedSession> {
    const caller = toAuthContext(user, { address })
    checkMayEnter(user, await instance.current())
    const opened = await sessions.open(user, client)
    await audit({ action: 'session.opened', caller })
    return opened
  }

  /**
   * Who a reverse proxy says is calling; null: none says anything. Throws AppError `auth.refused`, `auth.users_disabled` and
   * what `accountOf` throws.
   */
  async function vouchedFor(
    headers: IncomingMessage['headersDistinct'],
    peer: string | null,
    visitor: AuthContext,
  ): Promise<User | null> {
    for (const provider of providers) {
      const identity = await provider.header?.(headers, peer)
      if (!identity) continue
      const user = await accountOf(provider, identity, visitor)
      checkMayEnter(user, await instance.current())
      return user
    }
    return null
  }

  async function whoIs(username: string, password: string, visitor: AuthContext): Promise<User | null> {
    for (const provider of providers) {
      const identity = await provider.password?.(username, password)
      if (!identity) continue
      return provider.id === LOCAL ? users.get(identity.subject) : accountOf(provider, identity, visitor)
    }
    return null
  }

  /**
   * Checks a password that is kept here: one hash, whether there is such a user or not. Null: unknown, wrong, or an
   * account without a password of its own.
   */
  async function checkPassword(username: string, password: string): Promise<User | null> {
    // A name that nobody can have is looked for as well, so that it takes as long.
    return verified(await users.find(nameOf(username) ?? ''), password)
  }

  /** The same for a user who is known. */
  async function verified(user: User | null, password: string): Promise<User | null> {
    const phc = user?.passwordHash ?? DUMMY_HASH
    const isRight = await verifyPassword(phc, password)
    if (!isRight || !user || user.passwordHash === null) return null
    if (isOutdated(phc)) await users.update(user.id, { passwordHash: await hashPassword(password) })
    return user
  }

  return { signIn, enter, vouchedFor, checkPassword, verified }
}

/** As it would be stored; null for what cannot be a name. */
const nameOf = (username: string): string | null => Username.safeParse(username).data ?? null
