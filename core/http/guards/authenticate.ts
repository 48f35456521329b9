/** Authentication by API token, session cookie or reverse proxy, in this order. */
import type { App } from '../../app.js'
import { identifyToken } from '../../auth/api-tokens.js'
import { identifySession } from '../../auth/sessions.js'
import { identifyByProxy, isProxiedForOther } from '../../auth/sign-in.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import { AppError, isAppError } from '../../lib/errors.js'
import { sessionCookies } from '../lib/cookies.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext, AppState } from '../lib/state.js'
import { normalizePeer } from '../middleware/client-ip.js'
import { assertSameOrigin, isSafeMethod } from './same-origin.js'

/**
 * Sets `caller`, `cookies`, `isAmbient` and `authError` of the state. Without valid credentials the caller stays
 * anonymous. Throws AppError `auth.invalid_token`, `limit.reached` or `request.cross_site`.
 */
export async function authenticate(ctx: AppContext, app: App, origin: SiteOrigin): Promise<void> {
  const { state } = ctx
  const token = parseToken(ctx.get('authorization'))
  state.cookies = sessionCookies(ctx, origin.isHttps)
  try {
    state.caller = await identifyCaller(ctx, app, token)
  } catch (error) {
    // A rejected token is an error on every route. An ended session, or a user who may not sign in, is an error only
    // where authentication is required.
    const isFatal = token !== null ? !MAY_NOT_SIGN_IN.some((code) => isAppError(error, code)) : !isAuthError(error)
    if (isFatal) throw error
    state.authError = error
  }
  state.isAmbient = token === null && state.caller.userId !== null
  if (state.isAmbient && !isSafeMethod(ctx.method)) assertSameOrigin(ctx, origin)
}

/** Ignores all credentials: the caller stays anonymous. For processes with the role `open`. */
export function ignoreCredentials(ctx: AppContext, origin: SiteOrigin): void {
  ctx.state.cookies = sessionCookies(ctx, origin.isHttps)
  ctx.state.isAmbient = false
}

async function identifyCaller(ctx: AppContext, app: App, token: string | null): Promise<AuthContext> {
  const { req, state } = ctx
  const { address } = state.caller
  if (token !== null) return identifyToken(app, token, address)
  const proxied = { request: req, peer: normalizePeer(req.socket.remoteAddress ?? '') }
  const bySession = await identifyBySession(app, state)
  if (bySession && !(await isProxiedForOther(app, proxied, bySession))) return bySession
  return (await identifyByProxy(app, proxied, state.caller)) ?? state.caller
}

/**
 * Null without a valid session. After many made-up cookies, throws AppError `limit.reached` before it asks the storage.
 */
async function identifyBySession(app: App, { caller, cookies }: AppState): Promise<AuthContext | null> {
  if (cookies.token === null) return null
  app.limits.own.assertNotBlocked('session-wrong', caller)
  const session = await identifySession(app, cookies.token, caller.address)
  if (!session) await app.limits.own.recordFailure('session-wrong', caller)
  return session
}

/** Errors of valid credentials. */
const MAY_NOT_SIGN_IN = ['auth.users_disabled', 'auth.suspended'] as const

const isAuthError = (error: unknown): boolean => isAppError(error) && error.code.startsWith('auth.')

/**
 * The API token of `Basic base64(token:anything)` or `Bearer token`. Null without the header, and for `Upload` and
 * `Request`, which authorize an upload and do not identify the caller. Throws AppError `auth.invalid_token` for any
 * other value.
 */
function parseToken(header: string): string | null {
  if (header === '' || /^(upload|request) /i.test(header)) return null
  const [, scheme = '', value = ''] = /^(basic|bearer) +([A-Za-z0-9._~+/=-]+) *$/i.exec(header) ?? []
  if (scheme === '') throw new AppError('auth.invalid_token')
  if (scheme.toLowerCase() === 'bearer') return value
  const [token = ''] = Buffer.from(value, 'base64').toString().split(':')
  return token
}
