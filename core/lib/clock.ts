/**
 * The clock by which data expires. It is monotonic: expired data stays expired when the system clock is set back, and
 * nothing is deleted right after a forward jump, which may be a mistake.
 */
import type { EpochMs } from '../shared/epoch-ms.js'
import type { Log } from './log.js'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000

export interface Clock {
  /** Never goes backwards, except to undo a forward jump of the system clock. */
  now(): EpochMs
  /**
   * False after the system clock jumped forward by more than an hour, until it is set back or an hour has passed. `now`
   * follows the jump, but cleanup must wait.
   */
  isTrusted(): boolean
  /** Raises the clock to a time that this or another process has seen. */
  atLeast(mark: EpochMs): void
}

interface Deps {
  log: Log
  /** System clock. */
  wall?: () => EpochMs
  /** Ms since any start. Never jumps and never goes backwards. */
  monotonic?: () => number
}

/**
 * Compares the system clock with the monotonic one at each reading. `floor` is the latest certain time plus the advance
 * of the monotonic clock since then, and the result is never below it. A forward jump of more than an hour raises the
 * result, but not `certain`, until the clock is set back or an hour has passed.
 */
export function createMonotonicClock({ log, wall = Date.now, monotonic = () => performance.now() }: Deps): Clock {
  /** The last reading of both clocks. */
  let last = { wall: wall(), at: monotonic() }
  /** The last time that is certain, with the monotonic time at that moment. */
  let certain = { time: last.wall, at: last.at }
  /** Monotonic time of a forward jump; null while the clock is trusted. */
  let jumpedAt: number | null = null

  function read(): number {
    const at = monotonic()
    const time = wall()
    const expectedWall = last.wall + at - last.at
    const drift = time - expectedWall
    last = { wall: time, at }
    const floor = certain.time + at - certain.at
    if (drift > HOUR_MS) {
      jumpedAt = at
      log.error('system clock jumped forward, cleanup paused for 1 h', { ms: Math.round(drift) })
    } else if (drift < -MINUTE_MS && jumpedAt === null) {
      log.warn('system clock was set back, time continues from the latest value', { ms: Math.round(-drift) })
    }
    if (jumpedAt !== null && (at - jumpedAt >= HOUR_MS || time - floor <= HOUR_MS)) jumpedAt = null
    const now = Math.max(time, floor)
    if (jumpedAt === null) certain = { time: now, at }
    return Math.floor(now)
  }

  return {
    now: read,
    isTrusted() {
      read()
      return jumpedAt === null
    },
    atLeast(mark) {
      if (mark > read() + MINUTE_MS) {
        const ms = Math.round(mark - certain.time)
        log.warn('system clock is behind, time continues from the latest value', { ms })
      }
      if (mark > certain.time) certain = { time: mark, at: last.at }
    },
  }
}
