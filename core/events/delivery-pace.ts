/** A second with so many stored events is busy. */
const BUSY_COUNT = 50
const SECOND_MS = 1000
/** Longest wait because of busy seconds. Short, so that a full outbox drops no event because of it. */
const MAX_WAIT_MS = 10_000

export type DeliveryPace = ReturnType<typeof createPace>

/**
 * Knows whether this process stores many events. Their deliveries would slow down the requests that cause them. `now`:
 * epoch ms.
 */
export function createPace(now: () => number) {
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

/** Lets one delivery wait while its process is busy, for `MAX_WAIT_MS` at most. `now`: epoch ms. */
export function createWait({ isBusy }: Pick<DeliveryPace, 'isBusy'>, now: () => number) {
  /** When the wait began; null: it has not. */
  let since: number | null = null
  return {
    /** Call before looking for events, which is a part of the work that waits. */
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
