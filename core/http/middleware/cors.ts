/** CORS: pages of the configured origins may read API responses, without cookies. */
import type { AppMiddleware } from '../lib/state.js'

/** How long a browser may cache the response to a preflight request. */
const MAX_AGE_S = 600
const EXPOSED_HEADERS = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id']
const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Mayfly-Access']
const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** `origins`: as in an Origin header. The API's `Vary` header lists `Origin`. */
export function cors(origins: string[]): AppMiddleware {
  return (ctx, next) => {
    const origin = ctx.get('origin')
    if (!origins.includes(origin)) return next()
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', ') })
    const isPreflight = ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== ''
    if (!isPreflight) return next()
    ctx.set({
      'Access-Control-Allow-Methods': ALLOWED_METHODS.join(', '),
      'Access-Control-Allow-Headers': ALLOWED_HEADERS.join(', '),
      'Access-Control-Max-Age': `${MAX_AGE_S}`,
    })
    ctx.status = 204
    return Promise.resolve()
  }
}
