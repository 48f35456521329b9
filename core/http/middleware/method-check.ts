/** HTTP methods that the server supports. */
import { AppError } from '../../lib/errors.js'
import type { AppMiddleware } from '../lib/state.js'

export const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/**
 * Throws AppError `request.method_not_allowed` for any other method, before routing. `Allow` lists the methods of the
 * whole server.
 */
export const methodCheck: AppMiddleware = (ctx, next) => {
  if (!METHODS.has(ctx.method)) {
    ctx.set('Allow', [...METHODS].join(', '))
    throw new AppError('request.method_not_allowed')
  }
  return next()
}
