/** Sign-in with username and password. The first provider that accepts them wins. */
import type { IncomingMessage } from 'node:http'
import type { Audit } from '../contracts/audit.js'
import { type AuthContext, toAuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { Emit } from '../contracts/events.js'
import type { User, UserStore } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import { type PasswordHasher, verifyPassword } from '../lib/password-hash.js'
import type { LimitsService } from '../rate-limits/rate-limit-service.js'
import { beginSignIn, resetSignInLimit } from '../rate-limits/sign-in-throttle.js'
import type { SettingsService } from '../settings/settings-service.js'
import { type SignIn, Username } from '../shared/api/index.js'
import { assertCanSignIn } from './account-policy.js'
import type { KnownDevices } from './known-devices.js'
import type { RequestHeaders } from './request-headers.js'
import type { OpenedSession, SessionsService } from './session-service.js'
import type { SignInAlerts } from './sign-in-alerts.js'

/** Id of the provider for passwords of this instance. The subject of its identities is the id of a user. */
export const LOCAL = 'local'

interface Deps {
  users: UserStore
  /** The configured auth providers, in order. */
  getProviders: () => AuthProvider[]
  sessions: Pick<SessionsService, 'open'>
  instance: SettingsService
  /** Finds or creates the account of an external identity. */
  resolveIdentity(provider: AuthProvider, identity: Identity, caller: AuthContext): Promise<User>
  limits: LimitsService
  devices: KnownDevices
  alerts: SignInAlerts
  hasher: PasswordHasher
  audit: Audit
  emit: Emit
}

export type SignInService = ReturnType<typeof signInService>

export const signInService = (deps: Deps) => ({
  signIn: signIn.bind(null, deps),
  openSession: openAuditedSession.bind(null, deps),
  authenticateByProxy: authenticateByProxy.bind(null, deps),
  checkPassword: checkPassword.bind(null, deps),
  verifyUserPassword: verifyUserPassword.bind(null, deps),
})

/**
 * `deviceCookie`: of the request, or null. Throws AppError `auth.invalid_credentials`, the same for every reason, `auth.users_disabled` or
 * `limit.reached`.
 */
export async function signIn(
  deps: Deps,
  { username, password }: SignIn,
  caller: AuthContext,
  request: RequestHeaders & { deviceCookie: string | null },
): Promise<OpenedSession> {
  const { limits, devices, audit, alerts, emit } = deps
  const { client, deviceCookie } = request
  const name = normalizeUsername(username)
  const known = name !== null && deviceCookie !== null ? devices.identify(name, deviceCookie) : null
  const device = known ?? (name !== null && caller.username === name ? caller.sessionId : null)
  const attempt = { username, caller, device }
  await beginSignIn(limits, attempt)
  const user = await findUserByPassword(deps, { username, password }, caller)
  if (!user) {
    // Users type passwords into the wrong field: an unknown name is not stored.
    const account = await deps.users.find(name ?? '')
    await audit({ action: 'session.refused', caller, subject: account?.username ?? null })
    void emit('sign-in:failed', { provider: 'password' })
    throw new AppError('auth.invalid_credentials')
  }
  await resetSignInLimit(limits, attempt)
  const session = await openAuditedSession(deps, user, caller, client)
  alerts.report(user, caller, request)
  return session
}

/** Opens a session for an authenticated user. `client`: user-agent label. Throws AppError `auth.users_disabled`. */
export async function openAuditedSession(
  { sessions, instance, audit }: Deps,
  user: User,
  { address }: Pick<AuthContext, 'address'>,
  client: string,
): Promise<OpenedSession> {
  assertCanSignIn(user, await instance.current())
  const session = await sessions.open(user, client)
  await audit({ action: 'session.opened', caller: toAuthContext(user, { address }) })
  return session
}

/**
 * Authenticates a request by the headers of a reverse proxy. `peer`: address of the socket. Null when no provider recognizes
 * the headers. Throws AppError `auth.refused`, `auth.users_disabled`, or what `resolveIdentity` throws.
 */
export async function authenticateByProxy(
  { getProviders, instance, resolveIdentity }: Deps,
  request: Pick<IncomingMessage, 'headersDistinct'>,
  peer: string | null,
  caller: AuthContext,
): Promise<User | null> {
  for (const provider of getProviders()) {
    const identity = await provider.header?.(request.headersDistinct, peer)
    if (!identity) continue
    const user = await resolveIdentity(provider, identity, caller)
    assertCanSignIn(user, await instance.current())
    return user
  }
  return null
}

/**
 * Checks a password of this instance. Null when the user is unknown, the password is wrong or the account has none. It
 * verifies one hash in every case, so the response time reveals nothing.
 */
export async function checkPassword(deps: Deps, username: string, password: string): Promise<User | null> {
  return verifyUserPassword(deps, await deps.users.find(normalizeUsername(username) ?? ''), password)
}

/** Like `checkPassword`, for a loaded user. Replaces a hash that was made with a lower cost. */
export async function verifyUserPassword(
  { users, hasher }: Deps,
  user: User | null,
  password: string,
): Promise<User | null> {
  const phc = user?.passwordHash ?? hasher.dummyHash
  const isRight = await verifyPassword(phc, password)
  if (!isRight || !user || user.passwordHash === null) return null
  if (hasher.isOutdated(phc)) await users.update(user.id, { passwordHash: await hasher.hash(password) })
  return user
}

async function findUserByPassword(
  { getProviders, users, resolveIdentity }: Deps,
  { username, password }: SignIn,
  caller: AuthContext,
): Promise<User | null> {
  for (const provider of getProviders()) {
    const identity = await provider.password?.(username, password)
    if (!identity) continue
    return provider.id === LOCAL ? users.get(identity.subject) : resolveIdentity(provider, identity, caller)
  }
  return null
}

/** As it is stored; null for an invalid name. */
const normalizeUsername = (username: string): string | null => Username.safeParse(username).data ?? null
