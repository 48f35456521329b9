/** HTTP methods that the server supports. */
import { AppError } from '../../lib/errors.js'
import type { AppMiddleware } from '../lib/state.js'

export const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** Throws AppError `request.method_not_allowed` for any other method, before routing. */
export const methodCheck: AppMiddleware = (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new AppError('request.method_not_allowed')
  return next()
}
