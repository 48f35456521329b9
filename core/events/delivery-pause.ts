/** Longest pause for a receiver that accepts nothing. */
const PAUSE_MAX_MS = 5 * 60_000

export type DeliveryPause = ReturnType<typeof createPause>

/** Exponential pause of a receiver that accepts nothing, so that each of many waiting events does not run into a timeout. */
export function createPause(now: () => number) {
  let failures = 0
  let until = 0
  return {
    isActive: () => now() < until,
    start() {
      until = now() + Math.min(1000 * 2 ** failures++, PAUSE_MAX_MS)
    },
    end() {
      failures = 0
      until = 0
    },
  }
}
