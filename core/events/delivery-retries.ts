/** When a failed delivery is attempted again: each event by itself, and nothing while its receiver is paused. */
import { LRUCache } from 'lru-cache'
import type { DeliveryOutcome, DeliveryUpdate, OutboxEntry } from '../contracts/outbox.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Wait before each further attempt, about three days in total. After the last one an event is dead. */
export const RETRY_MS = [
  5000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * HOUR_MS),
]
/** Longest pause for a receiver that accepts nothing. */
const PAUSE_MAX_MS = 5 * MINUTE_MS
/** Number of receivers whose pauses are kept. */
const PAUSES_MAX = 10_000

/** The state of a delivery after an attempt that ended at `now`. */
export function toUpdate(
  { id, attempts: before }: OutboxEntry,
  { isDelivered, isPermanent = false, isSkipped = false, result }: DeliveryOutcome,
  now: EpochMs,
): DeliveryUpdate {
  const attempts = before + 1
  const wait = RETRY_MS[before]
  if (isSkipped) return { id, state: 'skipped', attempts, nextAt: now, endedAt: now, result }
  if (isDelivered) return { id, state: 'delivered', attempts, nextAt: now, endedAt: now, result }
  if (wait === undefined || isPermanent) return { id, state: 'dead', attempts, nextAt: now, endedAt: now, result }
  return { id, state: 'pending', attempts, nextAt: now + wait, endedAt: null, result }
}

export type DeliveryPauses = ReturnType<typeof createPauses>

/**
 * Exponential pauses of the receivers that accept nothing, so that each of many waiting events does not run into a
 * timeout.
 */
export function createPauses(now: () => EpochMs) {
  const pauses = new LRUCache<string, { failures: number; until: number }>({ max: PAUSES_MAX })
  return {
    isActive: (subscriber: string): boolean => now() < (pauses.get(subscriber)?.until ?? 0),
    /** Returns true for the first failure since the receiver worked. */
    start(subscriber: string): boolean {
      const failures = pauses.get(subscriber)?.failures ?? 0
      pauses.set(subscriber, { failures: failures + 1, until: now() + Math.min(1000 * 2 ** failures, PAUSE_MAX_MS) })
      return failures === 0
    },
    end: (subscriber: string): void => void pauses.delete(subscriber),
  }
}
