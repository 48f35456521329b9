/** Rate limits of the instance, with counters that all processes share and counters of this process. */
import { hash } from 'node:crypto'
import type { Counters } from '../contracts/limits.js'
import { createLocalCounters } from './local-store.js'
import { createRateLimiter, type LimiterParts, type RateLimiter } from './rate-limiter.js'
import { type ReservingCounters, withReservedPoints } from './reserved-points.js'

export interface Limits extends RateLimiter {
  /** Counts in this process only, which costs less. */
  own: RateLimiter
  /** Budgets that many callers share. They are charged when the instance has no rate limits, too. */
  budgets: ReservingCounters
  /**
   * True for the first call with this kind and subject in `windowMs`, false for all others. Exact across processes, and
   * also when the instance has no rate limits. Throws AppError `storage.unavailable`.
   */
  takeOnce(kind: string, subject: string, windowMs: number): Promise<boolean>
  /** Whether `takeOnce` was called with this kind and subject, and its window is open. Changes nothing. */
  isTaken(kind: string, subject: string): Promise<boolean>
}

interface Parts extends LimiterParts {
  /** Counters for `takeOnce`. */
  marks: Counters
  /** Counters of the storage. */
  stored: Counters
}

export function createLimits({ marks, stored, ...parts }: Parts): Limits {
  const { counters, now } = parts
  const local = createLocalCounters()
  return {
    ...createRateLimiter(parts),
    own: createRateLimiter({ ...parts, counters: counters && local }),
    budgets: withReservedPoints(stored),
    async takeOnce(kind, subject, windowMs) {
      // A counter with a limit of 1 is exact across processes.
      const [result] = await marks.consume([{ name: markOf(kind, subject), points: 1, limit: 1, windowMs }], now())
      return result?.granted ?? false
    },
    async isTaken(kind, subject) {
      const [result] = await marks.consume([{ name: markOf(kind, subject), points: 0, limit: 1, windowMs: 1 }], now())
      return (result?.used ?? 0) > 0
    },
  }
}

const markOf = (kind: string, subject: string): string => `${kind}${hash('sha256', subject).slice(0, 48)}`
