/** Who is calling: an API token when one is shown, else the session of the cookie, else whom a proxy of ours vouches for. */
import type { Context, Next } from 'koa'
import { type AuthContext, toAuthContext, visitor } from '../caller.js'
import { AppError, isAppError } from '../errors.js'
import type { Services } from '../services.js'
import { normalize } from './client-address.js'
import { sessionCookies } from './cookies.js'
import { isSafe, refuseCrossSite } from './csrf.js'
import type { Places } from './origins.js'

/**
 * Koa middleware for calls of the API. Sets `ctx.state.caller`, which a visitor keeps; `isAmbient`: the browser said so
 * by itself, so that another site could have made it; `refusal`: who they are may not come in, which only matters to
 * calls that need somebody. Throws AppError `auth.invalid_token`, `request.cross_site`.
 */
export function authenticate(services: Services, places: Places) {
  const { sessions, tokens, signIn } = services
  return async (ctx: Context, next: Next): Promise<void> => {
    const { address } = ctx.state.caller as AuthContext
    const token = tokenIn(ctx.get('authorization'))
    ctx.state.cookies = sessionCookies(ctx, places.isHttps)
    const cookie: string | null = token === null ? ctx.state.cookies.token : null
    try {
      if (token !== null) ctx.state.caller = await tokens.identify(token, address)
      else if (cookie !== null) ctx.state.caller = (await sessions.identify(cookie, address)) ?? visitor(address)
      if (token === null && ctx.state.caller.userId === null) {
        const { headersDistinct, socket } = ctx.req
        const user = await signIn.authenticateByProxy(
          headersDistinct,
          normalize(socket.remoteAddress ?? ''),
          visitor(address),
        )
        if (user) ctx.state.caller = toAuthContext(user, { address })
      }
    } catch (error) {
      // What speaks against a token or a cookie is an answer; what speaks against a proxy's word only matters where it counts.
      const isAnswer = token !== null ? !isAppError(error, 'auth.users_disabled') : !isRefusal(error)
      if (isAnswer) throw error
      ctx.state.refusal = error
    }
    ctx.state.isAmbient = token === null && ctx.state.caller.userId !== null
    if (ctx.state.isAmbient && !isSafe(ctx.method)) refuseCrossSite(ctx, places)
    await next()
  }
}

const isRefusal = (error: unknown): boolean => isAppError(error) && error.code.startsWith('auth.')

/**
 * The API token of `Basic base64(token:anything)` or `Bearer token`. Null without such a header: `Upload` is about a
 * part of a file, and says nothing about who sends it. Throws AppError `auth.invalid_token` for any other.
 */
function tokenIn(header: string): string | null {
  if (header === '' || /^upload /i.test(header)) return null
  const [, scheme = '', value = ''] = /^(basic|bearer) +([A-Za-z0-9._~+/=-]+) *$/i.exec(header) ?? []
  if (scheme === '') throw new AppError('auth.invalid_token')
  if (scheme.toLowerCase() === 'bearer') return value
  const [token = ''] = Buffer.from(value, 'base64').toString().split(':')
  return token
}
