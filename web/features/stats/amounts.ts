/** Amounts that the server reports as a multiple of five or as "few". */

/** Represents "few" in charts and comparisons. */
const ROUGHLY = 2
/** The server rounds less than this to "few". */
const FEW_MAX = 5
/** Days from one label of the time axis to the next. */
const LABEL_STEP = 7

/** Null: "few", about 0. */
export type Amount = number | null

export const approximate = (amount: Amount): number => amount ?? ROUGHLY

/**
 * Rounded percentage; null when it is unknown. At most 100: because of their noise, a part may be larger than its
 * whole.
 */
export function percentOf(part: Amount, whole: number): number | null {
  if (part === null || whole === 0) return null
  return Math.min(100, Math.round((part / whole) * 100))
}

/** The maximum of an axis: 1, 2 or 5 times a power of ten, at or above the largest amount. */
export function axisMaximum(amounts: number[]): number {
  const largest = Math.max(10, ...amounts)
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((times) => times * power).find((top) => top >= largest) ?? largest
}

/** The share of a part in percent. `isLimit`: there are a few, so it may be less. */
export function shareOf(part: Amount, whole: number): { percent: number; isLimit: boolean } {
  return { percent: percentOf(part ?? FEW_MAX, whole) ?? 0, isLimit: part === null }
}

/** The days with a label on the time axis, latest first: the last one, and one in each week before it. */
export const labeledDays = <Day>(days: Day[]): Day[] =>
  days.toReversed().filter((_, daysAgo) => daysAgo % LABEL_STEP === 0)
