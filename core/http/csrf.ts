/** Whether a request comes from a page of ours. Browsers say so; what is no browser says nothing of itself. */
import type { Context } from 'koa'
import { AppError } from '../errors.js'
import type { Places } from './origins.js'

/** Methods that change nothing, so that another site gains nothing from them. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafe = (method: string): boolean => SAFE.has(method)

/** Throws AppError `request.cross_site`. A request that tells neither header is not believed. */
export function refuseCrossSite(ctx: Context, { isOwnOrigin }: Places): void {
  const site = ctx.get('sec-fetch-site')
  const isOwn = site === '' ? isOwnOrigin({ origin: ctx.get('origin'), host: ctx.get('host') }) : site === 'same-origin'
  if (!isOwn) throw new AppError('request.cross_site')
}
