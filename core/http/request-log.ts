/** One line a request: the route's pattern, never the address itself, which may hold a key. */
import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { Log } from '../log.js'

/** Koa middleware: gives each request an id and logs its outcome. */
export function requestLog(log: Log) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now()
    ctx.state.requestId = randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    try {
      await next()
    } finally {
      log.info('request', {
        requestId: ctx.state.requestId,
        method: METHODS.has(ctx.method) ? ctx.method : 'other',
        route: ctx._matchedRoute?.toString() ?? 'page',
        status: ctx.status,
        ms: Math.round(performance.now() - started),
        code: ctx.state.errorCode,
      })
    }
  }
}

/** Methods that exist here. Anything else is refused before routing. */
export const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
