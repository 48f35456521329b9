/** Amounts that the server reports exactly or as "few". */

/** Represents "few" in charts and comparisons. */
const ROUGHLY = 2

/** Null: "few", 1 to 4. */
export type Amount = number | null

export const approximate = (amount: Amount): number => amount ?? ROUGHLY

/** Rounded percentage; null when it is unknown. */
export function percentOf(part: Amount, whole: number): number | null {
  if (part === null || whole === 0) return null
  return Math.round((part / whole) * 100)
}

/** The maximum of an axis: 1, 2 or 5 times a power of ten, at or above the largest amount. */
export function axisMaximum(amounts: number[]): number {
  const largest = Math.max(10, ...amounts)
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((times) => times * power).find((top) => top >= largest) ?? largest
}
