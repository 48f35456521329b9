/** One line a request: the route's pattern, never the address itself, which may hold a key. */
import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { Emit } from '../events.js'
import type { Log } from '../log.js'

/** Koa middleware: gives each request an id, logs its outcome, and tells it. */
export function requestLog(log: Log, emit: Emit) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now()
    ctx.state.requestId = randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    try {
      await next()
    } finally {
      const outcome = {
        method: METHODS.has(ctx.method) ? ctx.method : 'other',
        route: ctx._matchedRoute?.toString() ?? 'page',
        status: ctx.status,
        ms: Math.round(performance.now() - started),
      }
      log.info('request', { requestId: ctx.state.requestId, ...outcome, code: ctx.state.errorCode })
      void emit('request:answered', outcome)
    }
  }
}

/** Methods that exist here. Anything else is refused before routing. */
export const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
