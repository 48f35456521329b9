/** Few numbers that stand for many. */

/** The value below which `share` (0 to 1) of the values lie: nearest rank. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: number[]): number => percentile(values, 0.5)

export interface Estimate {
  median: number
  /** 95 % confidence interval. Null for fewer than six values. */
  interval: [low: number, high: number] | null
}

/**
 * The median with the interval of the sign test, which assumes nothing about the distribution: each value is below the true
 * median with a chance of 1/2, so the binomial distribution says how many values at each end can be left out.
 */
export function estimateMedian(values: number[]): Estimate {
  const sorted = [...values].sort((a, b) => a - b)
  /** Rank of the lower bound, 0 for none; the chance that as many values are below the true median, and that at most as many are. */
  let rank = 0
  let chance = 0.5 ** values.length
  for (let sum = chance; sum <= 0.025; sum += chance) {
    rank++
    chance *= (values.length - rank + 1) / rank
  }
  const bounds: [number, number] = [sorted[rank - 1] ?? Number.NaN, sorted.at(-rank) ?? Number.NaN]
  return { median: median(values), interval: rank === 0 ? null : bounds }
}

/** Distance of the farthest value from the median, as a share of the median. */
export function spread(values: number[]): number {
  const middle = median(values)
  return Math.max(...values.map((value) => Math.abs(value - middle))) / middle
}
