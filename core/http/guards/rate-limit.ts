/** Rate limits of routes and pages, checked before the body is read. */
import type { App } from '../../app.js'
import { type ErrorCode, isAppError } from '../../lib/errors.js'
import { type CustomRule, FAILURES, IN_PROCESS, type RuleName } from '../../rate-limits/rate-limit-policies.js'
import { type LimitState, limitError, type RateLimiter } from '../../rate-limits/rate-limiter.js'
import { setRateLimitHeaders } from '../lib/rate-limit-headers.js'
import type { AppContext } from '../lib/state.js'

/** The properties of a route that rate limits depend on. */
interface LimitedRoute {
  limit?: RuleName
  customLimit?: CustomRule
  errors?: readonly ErrorCode[]
}

/** Rate limits of one route. */
export interface RouteRateLimit {
  /** Runs after `assertAccess`. Throws AppError `limit.reached`. */
  consume(ctx: AppContext): Promise<void>
  /** Counts a request that `assertAccess` denied, in this process only. Throws AppError `limit.reached`. */
  consumeDenied(ctx: AppContext): Promise<void>
  /**
   * Counts an error of the handler if it is a failure that a rule limits, such as an unknown id. After too many, throws
   * AppError `limit.reached`. This is not an oracle: it reveals that the id does not open anything, as the error itself
   * does.
   */
  recordFailure(ctx: AppContext, error: unknown): Promise<void>
}

export function routeRateLimit({ limit, customLimit, errors = [] }: LimitedRoute, { limits }: App): RouteRateLimit {
  const failureRules = errors.flatMap((code) => FAILURES[code] ?? [])
  const rule = limit ?? customLimit
  const counters = limit && IN_PROCESS.includes(limit) ? limits.own : limits
  return {
    async consume(ctx) {
      if (rule) apply(ctx, await counters.tryConsume(rule, ctx.state.caller))
    },
    async consumeDenied(ctx) {
      if (rule) apply(ctx, await limits.own.tryConsume(rule, ctx.state.caller))
    },
    async recordFailure(ctx, error) {
      const { caller } = ctx.state
      const failed = failureRules.find((rule) => isFailure(rule, error))
      if (!failed) return
      apply(ctx, limits.findExhausted(failed, caller))
      await limits.recordFailure(failed, caller)
    },
  }
}

/** Returns a function that counts a request without a route in this process. It throws AppError `limit.reached`. */
export function processRateLimit(limits: RateLimiter, rule: 'page' | 'cheap'): (ctx: AppContext) => Promise<void> {
  return async (ctx) => apply(ctx, await limits.tryConsume(rule, ctx.state.caller))
}

const isFailure = (rule: RuleName, error: unknown): boolean => isAppError(error) && FAILURES[error.code] === rule

/** Sets the RateLimit headers. Throws AppError `limit.reached`. */
function apply(ctx: AppContext, state: LimitState | null): void {
  if (!state) return
  setRateLimitHeaders(ctx, state)
  if (!state.granted) throw limitError(state)
}
