/** Event counts per day, without any reference to users or secrets. */

/** Count of one event on one day. `day`: in UTC, such as `2026-11-21`. */
export interface DayCount {
  day: string
  /** Up to 32 characters. */
  name: string
  count: number
}

export interface StatsStore {
  /** Adds to the stored counts in one transaction. Exact under concurrency. */
  add(counts: DayCount[]): Promise<void>
  /** All counts from this day on. */
  listSince(day: string): Promise<DayCount[]>
  /** Deletes all counts before this day. */
  deleteBefore(before: string): Promise<void>
}
