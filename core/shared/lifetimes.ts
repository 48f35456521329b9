/** Allowed lifetimes of secrets and requests. */

/** Seconds, both inclusive. */
export interface Lifetime {
  min: number
  max: number
}

export const allowsLifetime = (lifetimes: readonly Lifetime[], ttl: number): boolean =>
  lifetimes.some(({ min, max }) => ttl >= min && ttl <= max)

/** Usual lifetimes that are allowed, and those of a list, in ascending order. */
export const listLifetimes = (lifetimes: readonly Lifetime[], usual: number[]): number[] => {
  const single = lifetimes.flatMap(({ min, max }) => (min === max ? min : []))
  const allowed = usual.filter((ttl) => allowsLifetime(lifetimes, ttl))
  return [...new Set([...allowed, ...single])].sort((a, b) => a - b)
}
