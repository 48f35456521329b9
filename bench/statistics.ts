/** Statistics of measured values. */

/** The value below which `share` (0 to 1) of the values lie: nearest rank. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: number[]): number => percentile(values, 0.5)
