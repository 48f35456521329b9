/** What happened how often, per day. It knows nothing about people or single secrets. */

/** A day in UTC, such as `2026-11-21`, what was counted, and how often. */
export interface DayCount {
  day: string
  /** Up to 32 characters. */
  name: string
  count: number
}

export interface StatsStore {
  /** Adds to what is counted already, all in one transaction. Exact, however many processes add at once. */
  add(counts: DayCount[]): Promise<void>
  /** All from this day on. */
  since(day: string): Promise<DayCount[]>
  /** Forgets all from before this day. */
  forget(before: string): Promise<void>
}
