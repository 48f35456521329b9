/** Sign-in with username and password. The first provider that accepts them wins. */
import type { IncomingMessage } from 'node:http'
import type { App } from '../app.js'
import { type AuthContext, toAuthContext } from '../contracts/auth-context.js'
import type { Session } from '../contracts/sessions.js'
import type { User } from '../contracts/users.js'
import { AppError, isAppError } from '../lib/errors.js'
import { verifyPassword } from '../lib/password-hash.js'
import { beginSignIn, resetSignInLimit } from '../rate-limits/sign-in-throttle.js'
import { type SignIn, Username } from '../shared/api/index.js'
import { assertCanSignIn } from './account-policy.js'
import { identifyDevice } from './known-devices.js'
import { beginPendingSignIn } from './pending-sign-in.js'
import type { RequestHeaders } from './request-headers.js'
import { resolveIdentity } from './resolve-identity.js'
import { hasSecondFactor, identifyUser, levelOf } from './second-factor-policy.js'
import { type OpenedSession, openSession } from './sessions.js'
import { reportSignIn } from './sign-in-alerts.js'

/** Id of the provider for passwords of this instance. The subject of its identities is the id of a user. */
export const LOCAL = 'local'

const HOUR_MS = 60 * 60_000

/** `pending`: cookie of a sign-in that needs a second step. */
export type FirstStep = { opened: OpenedSession } | { pending: string; user: User }

/**
 * `deviceCookie`: of the request, or null. Throws AppError `auth.invalid_credentials`, the same for every reason,
 * `auth.users_disabled` or `limit.reached`.
 */
export async function signIn(
  app: App,
  { username, password }: SignIn,
  caller: AuthContext,
  request: RequestHeaders & { deviceCookie: string | null },
): Promise<FirstStep> {
  const { client, deviceCookie } = request
  const name = normalizeUsername(username)
  const named = name !== null && deviceCookie !== null ? await app.storage.users.find(name) : null
  const known = deviceCookie === null ? null : identifyDevice(app, named, deviceCookie)
  const device = known ?? (name !== null && caller.username === name ? caller.sessionId : null)
  const attempt = { username, caller, device }
  await beginSignIn(app.limits, attempt)
  const user = await findUserByPassword(app, { username, password }, caller)
  if (!user) {
    // Users type passwords into the wrong field: an unknown name is not stored.
    const account = await app.storage.users.find(name ?? '')
    await app.audit.note({ action: 'session.refused', caller, subject: account?.username ?? null })
    void app.emit('session.refused', { provider: 'password' })
    throw new AppError('auth.invalid_credentials')
  }
  await resetSignInLimit(app.limits, attempt)
  const settings = await app.settings.current()
  if (hasSecondFactor(user, settings)) {
    assertCanSignIn(user, settings)
    return { pending: await beginPendingSignIn(app, user), user }
  }
  const session = await openAuditedSession(app, user, caller, { client, level: 1 })
  reportSignIn(app, user, caller, request)
  return { opened: session }
}

/** Data of a new session. `client`: user-agent label. `provenAt`: of a session that it replaces. */
export type NewSession = Pick<Session, 'client' | 'level'> & Partial<Pick<Session, 'provenAt'>>

/** Opens a session for an authenticated user. Throws AppError `auth.users_disabled`. */
export async function openAuditedSession(
  app: App,
  user: User,
  { address }: Pick<AuthContext, 'address'>,
  { client, level, provenAt }: NewSession,
): Promise<OpenedSession> {
  assertCanSignIn(user, await app.settings.current())
  const session = await openSession(app, user, client, level, provenAt)
  await app.audit.note({ action: 'session.opened', caller: toAuthContext(user, { address }) })
  return session
}

/** The part of a request that auth providers of reverse proxies read. */
export interface ProxiedRequest {
  request: Pick<IncomingMessage, 'headersDistinct'>
  /** Address of the socket. */
  peer: string | null
}

/**
 * Authenticates a request by the headers of a reverse proxy. Null when no provider recognizes the headers. Throws
 * AppError `auth.refused`, `auth.users_disabled`, or an error of `resolveIdentity`.
 */
export async function identifyByProxy(
  app: App,
  { request, peer }: ProxiedRequest,
  caller: AuthContext,
): Promise<AuthContext | null> {
  for (const provider of app.providers()) {
    const identity = await provider.header?.(request.headersDistinct, peer)
    if (!identity) continue
    const user = await resolveIdentity(app, provider, identity, caller)
    // Not for every request: `/healthz` has to respond without the database.
    const settings = await app.settings.current()
    assertCanSignIn(user, settings)
    // Each request is a sign-in: stored once an hour.
    if (app.now() - (user.signedInAt ?? 0) >= HOUR_MS)
      await app.storage.users.update(user.id, { signedInAt: app.now() })
    const credentials = { address: caller.address, level: levelOf(identity, settings) }
    return identifyUser(user, credentials, { settings, now: app.now() })
  }
  return null
}

/**
 * Whether a reverse proxy asserts another user than the user of a session that came from it: someone else uses the same
 * browser now. A session of an account that the proxy does not know, such as one with a password, stays valid.
 */
export async function isProxiedForOther(
  app: App,
  { request, peer }: ProxiedRequest,
  { userId }: AuthContext,
): Promise<boolean> {
  const { users } = app.storage
  for (const provider of app.providers()) {
    // An identity that the proxy may not assert does not affect a session.
    const identity = await provider.header?.(request.headersDistinct, peer).catch(ignoreRefusal)
    if (!identity || userId === null) continue
    const isFromProxy = (await users.listIdentities(userId)).some((own) => own.provider === provider.id)
    const asserted = await users.findByIdentity({ provider: provider.id, subject: identity.subject })
    return isFromProxy && asserted?.id !== userId
  }
  return false
}

function ignoreRefusal(error: unknown): null {
  if (isAppError(error, 'auth.refused')) return null
  throw error
}

/**
 * Checks a password of this instance. Null when the user is unknown, the password is wrong or the account has none. It
 * verifies one hash in every case, so the response time reveals nothing.
 */
export async function checkPassword(app: App, username: string, password: string): Promise<User | null> {
  return verifyUserPassword(app, await app.storage.users.find(normalizeUsername(username) ?? ''), password)
}

/** Like `checkPassword`, for a loaded user. Replaces a hash that was made with a lower cost. */
export async function verifyUserPassword(app: App, user: User | null, password: string): Promise<User | null> {
  const phc = user?.passwordHash ?? app.hasher.dummyHash
  const isRight = await verifyPassword(phc, password)
  if (!isRight || !user || user.passwordHash === null) return null
  if (app.hasher.isOutdated(phc))
    await app.storage.users.update(user.id, { passwordHash: await app.hasher.hash(password) })
  return user
}

async function findUserByPassword(app: App, { username, password }: SignIn, caller: AuthContext): Promise<User | null> {
  for (const provider of app.providers()) {
    const identity = await provider.password?.(username, password)
    if (!identity) continue
    return provider.id === LOCAL
      ? app.storage.users.get(identity.subject)
      : resolveIdentity(app, provider, identity, caller)
  }
  return null
}

/** The name as stored; null for an invalid name. */
const normalizeUsername = (username: string): string | null => Username.safeParse(username).data ?? null
