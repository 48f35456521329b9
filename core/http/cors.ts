/** Pages of other origins: none may read what the API answers, unless the operator lists them; never with credentials. */
import type { Context, Next } from 'koa'

/** How long a browser keeps the answer to its question, in seconds. */
const KEPT_S = 600
const READABLE = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id']
const HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Mayfly-Access']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** Koa middleware for the API, whose `Vary` names the origin. `origins`: as browsers write them. */
export function crossOrigin(origins: string[]) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const origin = ctx.get('origin')
    if (!origins.includes(origin)) return next()
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READABLE.join(', ') })
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') return next()
    ctx.set({
      'Access-Control-Allow-Methods': METHODS.join(', '),
      'Access-Control-Allow-Headers': HEADERS.join(', '),
      'Access-Control-Max-Age': `${KEPT_S}`,
    })
    ctx.status = 204
  }
}
