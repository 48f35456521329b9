import { lazy } from '../../lib/lazy.js'
import type { AppMiddleware } from '../lib/state.js'

/** Serves a JSON document that never changes. It is created at the first request. */
export function serveDocument(create: () => unknown): AppMiddleware {
  const prepare = lazy(() => Buffer.from(JSON.stringify(create())))
  return async (ctx) => {
    ctx.type = 'application/json'
    ctx.body = prepare()
  }
}
