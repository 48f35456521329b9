import type { LimitState } from '../../rate-limits/rate-limiter.js'
import type { AppContext } from './state.js'

/** State of the tightest window, as in the IETF draft of the `RateLimit` header fields. */
export function setRateLimitHeaders(ctx: AppContext, { limit, left, seconds }: Omit<LimitState, 'granted'>): void {
  ctx.set({ 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': `${seconds}` })
}
