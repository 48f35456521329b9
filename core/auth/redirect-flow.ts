/** Redirect flow: sign-in at an external provider, as in OAuth. The state is kept in an encrypted cookie of the browser. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity, RedirectState } from '../contracts/auth-provider.js'
import type { Emit } from '../contracts/events.js'
import type { LimitStore } from '../contracts/limits.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { User, UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../lib/errors.js'
import { errorName, type Log } from '../lib/log.js'
import { withTimeout } from '../lib/with-timeout.js'
import { type CookieCipher, createCookieCipher } from './encrypted-cookie.js'
import type { IdentityService } from './identity-service.js'
import type { RequestHeaders } from './request-headers.js'
import type { OpenedSession } from './session-service.js'
import type { SignInService } from './sign-in.js'
import type { SignInAlerts } from './sign-in-alerts.js'

/** How long a user may take to sign in at the provider. */
export const REDIRECT_MS = 10 * 60_000
const PROVIDER_TIMEOUT_MS = 10_000

interface Deps {
  /** The configured auth providers. */
  getProviders: () => AuthProvider[]
  users: Pick<UserStore, 'get'>
  sessions: Pick<SessionStore, 'list'>
  identities: Pick<IdentityService, 'resolve' | 'connect'>
  signIn: Pick<SignInService, 'openSession'>
  alerts: SignInAlerts
  limits: Pick<LimitStore, 'consume'>
  cipher: CookieCipher
  publicUrl: string
  audit: Audit
  emit: Emit
  log: Log
  /** Epoch ms. */
  now: () => number
}

interface Flow {
  /** Path of this instance to open afterwards. */
  next: string
  /** Session token of the browser, which the callback request does not contain. */
  session: string | null
  /** Cookie of a known device, which the callback request does not contain either. */
  device: string | null
  /** User to connect the identity to, and the session in which the user asked for it; null: sign in. */
  connect: { userId: string; sessionId: string } | null
}

/** Content of the encrypted cookie. */
interface StoredFlow extends Flow, RedirectState {
  /** Id of the provider. */
  provider: string
  /** Epoch ms. */
  endsAt: number
}

export interface Returned {
  next: string
  /** The new session; null when an identity was connected. */
  opened: OpenedSession | null
  /** Token of the session that the browser had before. */
  session: string | null
}

export type RedirectsService = ReturnType<typeof redirectsService>

export function redirectsService({ key, ...given }: Omit<Deps, 'cipher'> & { key: Buffer }) {
  const deps: Deps = { ...given, cipher: createCookieCipher(key) }
  return { start: startRedirect.bind(null, deps), finish: finishRedirect.bind(null, deps) }
}

/**
 * Returns the URL of the provider and the encrypted state for the cookie. Throws AppError `request.not_found` or
 * `auth.unavailable`.
 */
export async function startRedirect(deps: Deps, id: string, flow: Flow): Promise<{ url: string; cookie: string }> {
  const { cipher, now } = deps
  const provider = findProvider(deps, id)
  const { url, state, providerState } = await callProvider(deps, id, provider.redirect.start(callbackUrl(deps, id)))
  if (flow.connect) await markUsed(deps, connectMark(state, flow.connect.userId))
  const stored: StoredFlow = { provider: id, state, providerState, ...flow, endsAt: now() + REDIRECT_MS }
  return { url: url.href, cookie: cipher.encrypt(JSON.stringify(stored)) }
}

/**
 * Handles the callback. `cookie`: the encrypted state. Throws AppError `auth.refused` when the state is
 * missing, forged, expired or used, and what the provider, `resolveIdentity` and sign-in throw.
 */
export async function finishRedirect(
  deps: Deps,
  id: string,
  query: URLSearchParams,
  cookie: string | null,
  caller: AuthContext,
  headers: RequestHeaders,
): Promise<Returned> {
  const provider = findProvider(deps, id)
  try {
    const flow = await takeFlow(deps, id, query.get('state') ?? '', cookie)
    const callback = new URL(`${callbackUrl(deps, id)}?${query}`)
    const identity = await callProvider(deps, id, provider.redirect.finish(callback, flow))
    return await applyIdentity(deps, { provider, identity, flow }, caller, headers)
  } catch (error) {
    const code = isAppError(error) ? error.code : 'server.error'
    await deps.audit({ action: 'session.refused', caller, detail: { provider: id, code } })
    void deps.emit('sign-in:failed', { provider: id })
    throw error
  }
}

interface Result {
  provider: AuthProvider
  identity: Identity
  flow: StoredFlow
}

/** Signs in with the identity, or connects it to the account that started the flow. */
async function applyIdentity(
  deps: Deps,
  { provider, identity, flow }: Result,
  caller: AuthContext,
  headers: RequestHeaders,
): Promise<Returned> {
  const { identities, signIn, alerts } = deps
  const { next, session, connect, device: deviceCookie } = flow
  if (connect === null) {
    const user = await identities.resolve(provider, identity, caller)
    const opened = await signIn.openSession(user, caller, headers.client)
    alerts.report(user, caller, { ...headers, deviceCookie })
    return { next, session, opened }
  }
  await identities.connect(await findConnectingUser(deps, flow.state, connect), provider, identity, caller)
  return { next, session: null, opened: null }
}

/**
 * Returns the user who started a flow to connect an identity. The cookie alone is no proof, because everyone who knows the
 * instance key can make one. Throws AppError `auth.refused` if this server did not start the flow, or if its session has ended.
 */
async function findConnectingUser(
  deps: Deps,
  state: string,
  { userId, sessionId }: NonNullable<Flow['connect']>,
): Promise<User> {
  const { users, sessions, now } = deps
  const isStarted = !(await markUsed(deps, connectMark(state, userId)))
  const user = await users.get(userId)
  const hasSession = (await sessions.list(userId, now())).some(({ id }) => id === sessionId)
  if (!isStarted || !user || !hasSession) throw new AppError('auth.refused')
  return user
}

/** Decrypts the flow of a callback. Each state is accepted once. Throws AppError `auth.refused`. */
async function takeFlow(deps: Deps, id: string, state: string, cookie: string | null): Promise<StoredFlow> {
  const { cipher, now } = deps
  const text = cookie === null ? null : cipher.decrypt(cookie)
  const flow: StoredFlow | null = text === null ? null : JSON.parse(text)
  if (!flow || flow.provider !== id || !isSame(flow.state, state) || flow.endsAt <= now()) {
    throw new AppError('auth.refused')
  }
  if (!(await markUsed(deps, `asked${shortDigest(state)}`))) throw new AppError('auth.refused')
  return flow
}

/** True for the first call with this name, for as long as a flow lasts. A counter with a limit of 1 is exact across processes. */
async function markUsed({ limits, now }: Deps, name: string): Promise<boolean> {
  const [result] = await limits.consume([{ name, points: 1, limit: 1, windowMs: REDIRECT_MS }], now())
  return result?.granted ?? false
}

const connectMark = (state: string, userId: string): string => `connect${shortDigest(JSON.stringify([state, userId]))}`

/** Throws AppError `request.not_found`. */
function findProvider({ getProviders }: Deps, id: string) {
  const provider = getProviders().find((each) => each.id === id)
  if (!provider?.redirect) throw new AppError('request.not_found')
  return { ...provider, redirect: provider.redirect }
}

const callbackUrl = ({ publicUrl }: Deps, id: string): string => `${publicUrl}/api/v1/authentication/${id}/callback`

/** Waits for a provider. A timeout, or an error that is no AppError, becomes AppError `auth.unavailable`. */
async function callProvider<T>({ log }: Deps, provider: string, result: Promise<T>): Promise<T> {
  try {
    return await withTimeout(PROVIDER_TIMEOUT_MS, result)
  } catch (error) {
    if (isAppError(error)) throw error
    log.error('auth provider failed', { provider, error: errorName(error) })
    throw new AppError('auth.unavailable')
  }
}

const shortDigest = (text: string): string => digest(text).toString('hex').slice(0, 48)

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
