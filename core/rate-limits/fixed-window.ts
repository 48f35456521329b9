/** Fixed-window arithmetic, shared by all rate-limit stores. */
import type { Take, Taken } from '../contracts/limits.js'

/** State of one window. */
export interface Counter {
  used: number
  /** Epoch ms. */
  endsAt: number
}

/**
 * Applies a take to a counter. `taken` is the result; `after` the new state of the counter, or null when it did not change.
 * `counter` is undefined when no window was stored.
 */
export function takeFrom(
  counter: Counter | undefined,
  { cost, most, windowMs }: Take,
  now: number,
): { taken: Taken; after: Counter | null } {
  const open = counter && counter.endsAt > now ? counter : { used: 0, endsAt: now }
  const used = open.used + cost
  const granted = used <= most
  if (!granted || cost === 0) return { taken: { granted, ...open }, after: null }
  const after = { used, endsAt: open.endsAt > now ? open.endsAt : now + windowMs }
  return { taken: { granted, ...after }, after }
}
