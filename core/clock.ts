/**
 * The time by which secrets end. It goes on whatever becomes of the machine's clock: what has expired stays expired, and
 * nothing is deleted by a time that may be a mistake.
 */
import type { Log } from './log.js'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000

export interface Clock {
  /** Epoch ms. Never less than before, but for what a leap had added. */
  now(): number
  /**
   * False from a leap of the machine's clock, forward by more than an hour, until it is back or an hour has passed. Readers
   * go by the new time meanwhile; who deletes should wait.
   */
  isTrusted(): boolean
  /** It has been this late (epoch ms): this process or another one has seen it. */
  atLeast(mark: number): void
}

interface Parts {
  log: Log
  /** Epoch ms. */
  wall?: () => number
  /** Ms from any beginning; it neither leaps nor goes back. */
  monotonic?: () => number
}

export function steadyClock({ log, wall = Date.now, monotonic = () => performance.now() }: Parts): Clock {
  let seen = { wall: wall(), at: monotonic() }
  /** The latest time that is certain. */
  let certain = { time: seen.wall, at: seen.at }
  let leaptAt: number | null = null

  function look(): number {
    const at = monotonic()
    const time = wall()
    const drift = time - (seen.wall + at - seen.at)
    seen = { wall: time, at }
    const least = certain.time + at - certain.at
    if (drift > HOUR_MS) {
      leaptAt = at
      log.error('the clock leapt forward: nothing is deleted for an hour', { ms: Math.round(drift) })
    } else if (drift < -MINUTE_MS && leaptAt === null) {
      log.warn('the clock went back: time goes on from where it was', { ms: Math.round(-drift) })
    }
    if (leaptAt !== null && (at - leaptAt >= HOUR_MS || time - least <= HOUR_MS)) leaptAt = null
    const now = Math.max(time, least)
    if (leaptAt === null) certain = { time: now, at }
    return Math.floor(now)
  }

  return {
    now: look,
    isTrusted() {
      look()
      return leaptAt === null
    },
    atLeast(mark) {
      if (mark > look() + MINUTE_MS) {
        log.warn('the clock is behind: time goes on from where it was', { ms: Math.round(mark - certain.time) })
      }
      if (mark > certain.time) certain = { time: mark, at: seen.at }
    },
  }
}
