/** How often a call may be made, looked at before anything of it is read. */
import type { Context, Next } from 'koa'
import { isAppError } from '../errors.js'
import { FAILURES, type RuleName } from '../limits/rules.js'
import { type LimitState, type LimitsService, limitError } from '../limits/service.js'
import type { Call } from './call.js'

/** Koa middleware, behind the one that knows the caller. Throws AppError `limit.reached`. */
export function rateLimit({ limit, errors = [] }: Call, limits: LimitsService) {
  const failures = errors.flatMap((code) => FAILURES[code] ?? [])
  return async (ctx: Context, next: Next): Promise<void> => {
    const { caller } = ctx.state
    for (const rule of failures) pass(ctx, limits.findRefusal(rule, caller))
    if (limit) pass(ctx, await limits.tryTake(limit, caller))
    try {
      await next()
    } catch (error) {
      const failed = failures.find((rule) => isFailure(rule, error))
      if (failed) await limits.count(failed, caller)
      throw error
    }
  }
}

/** The same for what is no call: pages, and the files of the app. */
export function pageLimit(limits: LimitsService) {
  return async (ctx: Context, next: Next): Promise<void> => {
    pass(ctx, await limits.tryTake('page', ctx.state.caller))
    await next()
  }
}

const isFailure = (rule: RuleName, error: unknown): boolean => isAppError(error) && FAILURES[error.code] === rule

/** Tells how the caller stands. Throws AppError `limit.reached`. */
function pass(ctx: Context, standing: LimitState | null): void {
  if (!standing) return
  const { granted, most, left, seconds } = standing
  ctx.set({ 'RateLimit-Limit': `${most}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': `${seconds}` })
  if (!granted) throw limitError(standing)
}
