/**
 * Redirect flow: sign-in at an external provider, as in OAuth. The state is kept in an encrypted cookie of the browser.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity, RedirectState } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import { describeCause } from '../lib/error-codes.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { withTimeout } from '../shared/with-timeout.js'
import { assertCanSignIn } from './account-policy.js'
import { connectIdentity } from './connect-identity.js'
import { encryptedCookie } from './encrypted-cookie.js'
import { beginPendingSignIn } from './pending-sign-in.js'
import type { RequestHeaders } from './request-headers.js'
import { resolveIdentity } from './resolve-identity.js'
import { isCovered, levelOf } from './second-factor-policy.js'
import type { OpenedSession } from './sessions.js'
import { openAuditedSession } from './sign-in.js'
import { reportSignIn } from './sign-in-alerts.js'
import { namedGroups } from './user-groups.js'

/** How long a user may take to sign in at the provider. */
export const REDIRECT_MS = 10 * 60_000
const PROVIDER_TIMEOUT_MS = 10_000

const SECURITY_PATH = '/account/security'

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
  endsAt: EpochMs
}

export interface Returned {
  next: string
  /** The new session; null when an identity was connected, or a second step has to follow. */
  opened: OpenedSession | null
  /** Cookie of a sign-in that needs a second step; null: no second step. */
  pending: string | null
  /** Token of the session that the browser had before, and that ends now. */
  session: string | null
}

/**
 * Returns the URL of the provider and the encrypted state for the cookie. Throws AppError `request.not_found` or
 * `auth.unavailable`.
 */
export async function startRedirect(app: App, id: string, flow: Flow): Promise<{ url: string; cookie: string }> {
  const provider = findProvider(app, id)
  const { url, state, providerState } = await callProvider(app, id, provider.redirect.start(callbackUrl(app, id)))
  if (flow.connect) await markUsed(app, 'connect', connection(state, flow.connect.userId))
  const stored = { provider: id, state, providerState, ...flow, endsAt: app.now() + REDIRECT_MS }
  return { url: url.href, cookie: cookieOf(app).write(stored) }
}

/**
 * Starts the flow that connects an identity to the account of the caller. Throws AppError `auth.required` or an error
 * of `startRedirect`.
 */
export async function startConnecting(
  app: App,
  id: string,
  caller: AuthContext,
): Promise<{ url: string; cookie: string }> {
  const { userId, sessionId } = caller
  if (userId === null || sessionId === null) throw new AppError('auth.required')
  return startRedirect(app, id, {
    next: SECURITY_PATH,
    session: null,
    device: null,
    connect: { userId, sessionId },
  })
}

/**
 * Handles the callback. `cookie`: the encrypted state. Throws AppError `auth.refused` when the state is missing,
 * forged, expired or used, and the errors of the provider, `resolveIdentity` and sign-in.
 */
export async function finishRedirect(
  app: App,
  id: string,
  query: URLSearchParams,
  cookie: string | null,
  caller: AuthContext,
  headers: RequestHeaders,
): Promise<Returned> {
  const provider = findProvider(app, id)
  try {
    const flow = await logRefusal(app, id, takeFlow(app, id, query.get('state') ?? '', cookie))
    const callback = new URL(`${callbackUrl(app, id)}?${query}`)
    const needs = { groups: namedGroups(await app.settings.current()).length > 0 }
    const identity = await callProvider(app, id, provider.redirect.finish(callback, flow, needs))
    return await logRefusal(app, id, applyIdentity(app, { provider, identity, flow }, caller, headers))
  } catch (error) {
    const code = isAppError(error) ? error.code : 'server.error'
    await app.audit.note({ action: 'session.refused', caller, detail: { provider: id, code } })
    void app.emit('session.refused', { provider: id })
    throw error
  }
}

/** Path of the page that shows an error of the callback: the page on which the flow of the cookie was started. */
export const errorPagePath = (app: App, cookie: string | null): string =>
  cookieOf(app).read(cookie)?.connect ? SECURITY_PATH : '/signin'

interface Result {
  provider: AuthProvider
  identity: Identity
  flow: StoredFlow
}

/**
 * Signs in with the identity, or begins the second step that the policy requires, or connects it to
 * the account that started the flow.
 */
async function applyIdentity(
  app: App,
  { provider, identity, flow }: Result,
  caller: AuthContext,
  headers: RequestHeaders,
): Promise<Returned> {
  const { next, session, connect, device: deviceCookie } = flow
  if (connect === null) {
    const user = await resolveIdentity(app, provider, identity, caller)
    const settings = await app.settings.current()
    const level = levelOf(identity, settings)
    if (level === 1 && user.secondFactor && isCovered(user, settings)) {
      assertCanSignIn(user, settings)
      const page = `/signin/second-step?next=${encodeURIComponent(next)}`
      return { next: page, session: null, opened: null, pending: await beginPendingSignIn(app, user) }
    }
    const opened = await openAuditedSession(app, user, caller, { client: headers.client, level })
    reportSignIn(app, user, caller, { ...headers, deviceCookie })
    return { next, session, opened, pending: null }
  }
  await connectIdentity(app, await findConnectingUser(app, flow.state, connect), provider, identity, caller)
  return { next, session: null, opened: null, pending: null }
}

/**
 * Returns the user who started a flow to connect an identity. The cookie alone does not prove it, because everyone who
 * knows the instance key can make one. Throws AppError `auth.refused` if this server did not start the flow, or if its
 * session has ended or its account is suspended.
 */
async function findConnectingUser(
  app: App,
  state: string,
  { userId, sessionId }: NonNullable<Flow['connect']>,
): Promise<User> {
  const isStarted = !(await markUsed(app, 'connect', connection(state, userId)))
  const user = await app.storage.users.get(userId)
  const hasSession = (await app.storage.sessions.list(userId, app.now())).some(({ id }) => id === sessionId)
  if (!isStarted || !user || !hasSession || user.suspendedAt !== null) throw new AppError('auth.refused')
  return user
}

/** Decrypts the flow of a callback. Each state is accepted once. Throws AppError `auth.refused`. */
async function takeFlow(app: App, id: string, state: string, cookie: string | null): Promise<StoredFlow> {
  const flow = cookieOf(app).read(cookie)
  if (!flow || flow.provider !== id || !isSame(flow.state, state) || flow.endsAt <= app.now()) {
    throw new AppError('auth.refused')
  }
  if (!(await markUsed(app, 'asked', state))) throw new AppError('auth.refused')
  return flow
}

const cookieOf = (app: App) => encryptedCookie<StoredFlow>(app, 'sealed-cookie')

/** True for the first call, for as long as a flow lasts. */
const markUsed = (app: App, kind: 'asked' | 'connect', subject: string): Promise<boolean> =>
  app.limits.takeOnce(kind, subject, REDIRECT_MS)

const connection = (state: string, userId: string): string => JSON.stringify([state, userId])

/** Throws AppError `request.not_found`. */
function findProvider(app: App, id: string) {
  const provider = app.providers().find((each) => each.id === id)
  if (!provider?.redirect) throw new AppError('request.not_found')
  return { ...provider, redirect: provider.redirect }
}

const callbackUrl = ({ config }: App, id: string): string => `${config.publicUrl}/api/v1/authentication/${id}/callback`

/** Waits for a provider. A timeout and any error but AppError become AppError `auth.unavailable`. */
async function callProvider<T>({ log }: App, provider: string, result: Promise<T>): Promise<T> {
  try {
    return await withTimeout(PROVIDER_TIMEOUT_MS, result)
  } catch (error) {
    if (isAppError(error)) throw error
    log.error('auth provider failed', { provider, ...describeCause(error) })
    throw new AppError('auth.unavailable')
  }
}

/** Logs why core refuses a sign-in. Providers log their own reasons. */
async function logRefusal<T>({ log }: App, provider: string, result: Promise<T>): Promise<T> {
  return result.catch((error) => {
    if (isAppError(error)) log.warn('sign-in refused', { provider, reason: error.code })
    throw error
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
