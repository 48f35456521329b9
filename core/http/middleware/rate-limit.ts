/** Rate limits of routes and pages, checked before the body is read. */
import { type ErrorCode, isAppError } from '../../lib/errors.js'
import { FAILURES, type RuleName } from '../../rate-limits/rate-limit-policies.js'
import { type LimitState, type LimitsService, limitError } from '../../rate-limits/rate-limit-service.js'
import type { AppContext, AppMiddleware } from '../lib/state.js'

/** The properties of a route that rate limits depend on. */
interface LimitedRoute {
  limit?: RuleName
  errors?: readonly ErrorCode[]
}

/** Rate limits of one route. */
export interface RouteRateLimit {
  /** Runs after `assertAccess`. Throws AppError `limit.reached`. */
  consume(ctx: AppContext): Promise<void>
  /** Counts an error of the handler if it is a failure that a rule limits, such as a wrong password. */
  recordFailure(ctx: AppContext, error: unknown): Promise<void>
}

export function routeRateLimit({ limit, errors = [] }: LimitedRoute, limits: LimitsService): RouteRateLimit {
  const failureRules = errors.flatMap((code) => FAILURES[code] ?? [])
  return {
    async consume(ctx) {
      const { caller } = ctx.state
      for (const rule of failureRules) apply(ctx, limits.findExhausted(rule, caller))
      if (limit) apply(ctx, await limits.tryConsume(limit, caller))
    },
    async recordFailure(ctx, error) {
      const failed = failureRules.find((rule) => isFailure(rule, error))
      if (failed) await limits.recordFailure(failed, ctx.state.caller)
    },
  }
}

/** The rate limit of everything outside the API: pages, and the files of the web app. */
export function pageRateLimit(limits: LimitsService): AppMiddleware {
  return async (ctx, next) => {
    apply(ctx, await limits.tryConsume('page', ctx.state.caller))
    await next()
  }
}

const isFailure = (rule: RuleName, error: unknown): boolean => isAppError(error) && FAILURES[error.code] === rule

/** Sets the RateLimit headers. Throws AppError `limit.reached`. */
function apply(ctx: AppContext, state: LimitState | null): void {
  if (!state) return
  const { granted, limit, left, seconds } = state
  ctx.set({ 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': `${seconds}` })
  if (!granted) throw limitError(state)
}
