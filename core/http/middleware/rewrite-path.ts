/** Rewrites the path of a request to the path that the routers know. */
import type { AppMiddleware } from '../lib/state.js'

/**
 * Removes `base`, the path of `publicUrl`, unless a proxy has removed it already. Then rewrites `/api` to `/api/v1`,
 * its alias.
 */
export function rewritePath(base: string): AppMiddleware {
  return (ctx, next) => {
    const path = isBelow(ctx.path, base) ? ctx.path.slice(base.length) || '/' : ctx.path
    const isAlias = isBelow(path, '/api') && !isBelow(path, '/api/v1')
    const rewritten = isAlias ? `/api/v1${path.slice('/api'.length)}` : path
    if (rewritten !== ctx.path) ctx.path = rewritten
    return next()
  }
}

const isBelow = (path: string, base: string): boolean => base !== '' && (path === base || path.startsWith(`${base}/`))
