import type { EpochMs } from '../shared/epoch-ms.js'

/** A second with this many stored events is busy. */
const BUSY_COUNT = 50
const SECOND_MS = 1000
/** Longest wait because of busy seconds. Short, so that the outbox does not fill up and drop events. */
const MAX_WAIT_MS = 10_000

export type DeliveryPace = ReturnType<typeof createPace>

/**
 * Delays deliveries while this process stores many events, because they would slow down the requests that cause them.
 */
export function createPace(now: () => EpochMs) {
  let secondEnd = 0
  let count = 0
  let busyUntil = 0
  return {
    /** Call with the number of events that are stored. */
    add(events: number): void {
      if (events === 0) return
      if (now() >= secondEnd) {
        secondEnd = now() + SECOND_MS
        count = 0
      }
      count += events
      if (count >= BUSY_COUNT) busyUntil = secondEnd + SECOND_MS
    },
    isBusy: (): boolean => now() < busyUntil,
  }
}

/** Lets one delivery wait while its process is busy, for up to `MAX_WAIT_MS`. */
export function createWait({ isBusy }: Pick<DeliveryPace, 'isBusy'>, now: () => EpochMs) {
  /** When the wait began; null: it has not. */
  let since: number | null = null
  return {
    /** Call before looking for events, which is part of the delayed work. */
    mustWait(): boolean {
      if (!isBusy()) since = null
      else since ??= now()
      return since !== null && now() - since < MAX_WAIT_MS
    },
    /** Call when nothing is left to deliver: the next wait may last as long again. */
    end(): void {
      since = null
    },
  }
}
