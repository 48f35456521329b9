import { lazy } from '../../lib/lazy.js'
import type { AppContext } from '../lib/state.js'

/** Serves a constant JSON document. It is created at the first request. */
export function serveDocument(create: () => unknown): (ctx: AppContext) => void {
  const prepare = lazy(() => Buffer.from(JSON.stringify(create())))
  return (ctx) => {
    ctx.type = 'application/json'
    ctx.body = prepare()
  }
}
