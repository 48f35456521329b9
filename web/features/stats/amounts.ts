/** Numbers that may be told only roughly. */

/** What stands for 1 to 4 where something has to be drawn or compared. */
const ROUGHLY = 2

/** null: 1 to 4. */
export type Amount = number | null

export const approximate = (amount: Amount): number => amount ?? ROUGHLY

/** How many of a hundred; null when that cannot be said. */
export function percentOf(part: Amount, whole: number): number | null {
  if (part === null || whole === 0) return null
  return Math.round((part / whole) * 100)
}

/** A round number at or above the largest, for the top of an axis: 1, 2 or 5 times a power of ten. */
export function axisMaximum(amounts: number[]): number {
  const largest = Math.max(5, ...amounts)
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((times) => times * power).find((top) => top >= largest) ?? largest
}
