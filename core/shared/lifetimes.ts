/** Allowed lifetimes of secrets and requests. */

/** Seconds, both inclusive. */
export interface Lifetime {
  min: number
  max: number
}

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** Lifetimes that a list offers, in seconds. */
export const USUAL_LIFETIMES = [
  300,
  1800,
  HOUR_S,
  4 * HOUR_S,
  12 * HOUR_S,
  DAY_S,
  3 * DAY_S,
  7 * DAY_S,
  14 * DAY_S,
  28 * DAY_S,
]

export const allowsLifetime = (lifetimes: readonly Lifetime[], ttl: number): boolean =>
  lifetimes.some(({ min, max }) => ttl >= min && ttl <= max)

/** Usual lifetimes that are allowed, and the single lifetimes of a list, in ascending order. */
export const listLifetimes = (lifetimes: readonly Lifetime[], usual: number[] = USUAL_LIFETIMES): number[] => {
  const single = lifetimes.flatMap(({ min, max }) => (min === max ? min : []))
  const allowed = usual.filter((ttl) => allowsLifetime(lifetimes, ttl))
  return [...new Set([...allowed, ...single])].sort((a, b) => a - b)
}
