/** Authentication by API token, session cookie or reverse proxy, in this order. */
import { type AuthContext, toAuthContext } from '../../contracts/auth-context.js'
import { AppError, isAppError } from '../../lib/errors.js'
import type { Services } from '../../services/create-services.js'
import { sessionCookies } from '../lib/cookies.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext } from '../lib/state.js'
import { normalizePeer } from './client-ip.js'
import { assertSameOrigin, isSafeMethod } from './same-origin.js'

/**
 * Sets `caller`, `cookies`, `isAmbient` and `authError` of the state. Without valid credentials the caller stays anonymous.
 * Throws AppError `auth.invalid_token` or `request.cross_site`.
 */
export async function authenticate(ctx: AppContext, services: Services, origin: SiteOrigin): Promise<void> {
  const { state } = ctx
  const token = parseToken(ctx.get('authorization'))
  state.cookies = sessionCookies(ctx, origin.isHttps)
  try {
    state.caller = await identifyCaller(ctx, services, token)
  } catch (error) {
    // A rejected token is an error on every route. A session or user that may not sign in is one only where
    // authentication is required.
    const isFatal = token !== null ? !isAppError(error, 'auth.users_disabled') : !isAuthError(error)
    if (isFatal) throw error
    state.authError = error
  }
  state.isAmbient = token === null && state.caller.userId !== null
  if (state.isAmbient && !isSafeMethod(ctx.method)) assertSameOrigin(ctx, origin)
}

async function identifyCaller(
  { req, state }: AppContext,
  { sessions, tokens, signIn }: Services,
  token: string | null,
): Promise<AuthContext> {
  const { address } = state.caller
  if (token !== null) return tokens.identify(token, address)
  const bySession = state.cookies.token === null ? null : await sessions.identify(state.cookies.token, address)
  if (bySession) return bySession
  const peer = normalizePeer(req.socket.remoteAddress ?? '')
  const user = await signIn.authenticateByProxy(req, peer, state.caller)
  return user ? toAuthContext(user, { address }) : state.caller
}

const isAuthError = (error: unknown): boolean => isAppError(error) && error.code.startsWith('auth.')

/**
 * The API token of `Basic base64(token:anything)` or `Bearer token`. Null without the header, and for `Upload`, which
 * authorizes an upload and does not identify the caller. Throws AppError `auth.invalid_token` for any other value.
 */
function parseToken(header: string): string | null {
  if (header === '' || /^upload /i.test(header)) return null
  const [, scheme = '', value = ''] = /^(basic|bearer) +([A-Za-z0-9._~+/=-]+) *$/i.exec(header) ?? []
  if (scheme === '') throw new AppError('auth.invalid_token')
  if (scheme.toLowerCase() === 'bearer') return value
  const [token = ''] = Buffer.from(value, 'base64').toString().split(':')
  return token
}
