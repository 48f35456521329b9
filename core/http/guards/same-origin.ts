/** Same-origin check against CSRF, from the headers that browsers set. */
import { AppError } from '../../lib/errors.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext } from '../lib/state.js'

/** Methods that change nothing, so a cross-site request gains nothing from them. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method)

/** Throws AppError `request.cross_site`, also if a request has neither `Sec-Fetch-Site` nor `Origin`. */
export function assertSameOrigin(ctx: AppContext, { isOwnOrigin }: SiteOrigin): void {
  const site = ctx.get('sec-fetch-site')
  const isOwn = site === '' ? isOwnOrigin({ origin: ctx.get('origin'), host: ctx.get('host') }) : site === 'same-origin'
  if (!isOwn) throw new AppError('request.cross_site')
}
