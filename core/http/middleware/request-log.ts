/** Request log: one line per request with the pattern of its route. The URL itself may contain a key. */
import { randomUUID } from 'node:crypto'
import type { Emit } from '../../contracts/events.js'
import type { Log } from '../../lib/log.js'
import type { AppMiddleware } from '../lib/state.js'
import { METHODS } from './method-check.js'

/** Sets the request id, logs the response and emits `http.answered`. */
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
      const { requestId, errorCode, errorCause, errorHint } = ctx.state
      const fields = { requestId, ...outcome, code: errorCode, cause: errorCause, hint: errorHint }
      // A failure of the server is logged at every level, because the client has its request id.
      if (errorCause === undefined && errorHint === undefined) log.info('request', fields)
      else log.warn('request', fields)
      void emit('http.answered', outcome)
    }
  }
}
