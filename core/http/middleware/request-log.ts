/** Request log: one line per request with the pattern of its route. The URL itself may contain a key. */
import { randomUUID } from 'node:crypto'
import type { Emit } from '../../contracts/events.js'
import type { Log } from '../../lib/log.js'
import type { AppMiddleware } from '../lib/state.js'
import { METHODS } from './method-check.js'

/** Sets the request id, logs the response and emits `request:answered`. */
export function requestLog(log: Log, emit: Emit): AppMiddleware {
  return async (ctx, next) => {
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
