/** Rate limits of routes and pages, checked before the body is read. */
import { isAppError } from '../../errors.js'
import { FAILURES, type RuleName } from '../../limits/rules.js'
import { type LimitState, type LimitsService, limitError } from '../../limits/service.js'
import type { Route } from '../route.js'
import type { AppContext, AppMiddleware } from '../state.js'

/** Runs after `requireAuth`. Throws AppError `limit.reached`. */
export function rateLimit({ limit, errors = [] }: Route, limits: LimitsService): AppMiddleware {
  const failureRules = errors.flatMap((code) => FAILURES[code] ?? [])
  return async (ctx, next) => {
    const { caller } = ctx.state
    for (const rule of failureRules) apply(ctx, limits.findRefusal(rule, caller))
    if (limit) apply(ctx, await limits.tryTake(limit, caller))
    try {
      await next()
    } catch (error) {
      const failed = failureRules.find((rule) => isFailure(rule, error))
      if (failed) await limits.count(failed, caller)
      throw error
    }
  }
}

/** The rate limit of everything outside the API: pages, and the files of the web app. */
export function pageRateLimit(limits: LimitsService): AppMiddleware {
  return async (ctx, next) => {
    apply(ctx, await limits.tryTake('page', ctx.state.caller))
    await next()
  }
}

const isFailure = (rule: RuleName, error: unknown): boolean => isAppError(error) && FAILURES[error.code] === rule

/** Sets the RateLimit headers. Throws AppError `limit.reached`. */
function apply(ctx: AppContext, state: LimitState | null): void {
  if (!state) return
  const { granted, most, left, seconds } = state
  ctx.set({ 'RateLimit-Limit': `${most}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': `${seconds}` })
  if (!granted) throw limitError(state)
}
