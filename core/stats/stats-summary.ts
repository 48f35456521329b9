/** Names of the counts, and the summary of daily counts. */
import type { DayCount } from '../contracts/stats.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const DAY_MS = 86_400_000
/** Days in the summary, today included. */
export const SUMMARY_DAYS = 30

export const COUNTED = [
  'created',
  'opened',
  'viewed',
  'used-up',
  'burned',
  'expired',
  'files',
  'with-password',
  'with-files',
  'with-address',
  'public',
] as const

export type Counted = (typeof COUNTED)[number]
export type Counts = Record<Counted, number>

/**
 * Upper bounds of the histogram of the time between creation and first view, in seconds. A longer wait counts in the
 * last bucket.
 */
const WAIT_BUCKETS = [60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800, 2_419_200, 31_536_000]
const LAST_BUCKET = 31_536_000
const WAIT_PREFIX = 'opened-within-'

export interface Summary {
  /** Oldest first, including days without events. */
  days: { day: string; counts: Counts }[]
  /** Sum of all days. */
  total: Counts
  /**
   * Half of the secrets opened in these days were opened within this many seconds, a bucket bound; null without any.
   */
  medianWait: number | null
}

/** Sums up the counts of the last `SUMMARY_DAYS` days. Names that this version does not know are ignored. */
export function summarize(counts: DayCount[], now: number): Summary {
  const names = Array.from({ length: SUMMARY_DAYS }, (_, index) => toDay(now - (SUMMARY_DAYS - 1 - index) * DAY_MS))
  const days = names.map((day) => ({ day, counts: zeroCounts() }))
  const total = zeroCounts()
  for (const { day, name, count } of counts) {
    const ofDay = days.find((each) => each.day === day)?.counts
    if (!ofDay || !isCounted(name)) continue
    ofDay[name] += count
    total[name] += count
  }
  return { days, total, medianWait: findMedianWait(counts) }
}

/** Name of the histogram bucket for a secret that was first viewed `ageMs` after its creation. */
export const waitBucket = (ageMs: number): string =>
  WAIT_PREFIX + (WAIT_BUCKETS.find((seconds) => ageMs <= seconds * 1000) ?? LAST_BUCKET)

/** The UTC day of a time, such as `2026-01-31`. */
export const toDay = (time: EpochMs): string => new Date(time).toISOString().slice(0, 10)

/** The UTC day that is `days` before a time. */
export const daysBefore = (time: EpochMs, days: number): string => toDay(time - days * DAY_MS)

function findMedianWait(counts: DayCount[]): number | null {
  const openedWithin = (seconds: number) =>
    counts.reduce((sum, { name, count }) => (name === WAIT_PREFIX + seconds ? sum + count : sum), 0)
  const total = WAIT_BUCKETS.reduce((sum, seconds) => sum + openedWithin(seconds), 0)
  let opened = 0
  for (const seconds of WAIT_BUCKETS) {
    opened += openedWithin(seconds)
    if (total > 0 && opened >= total / 2) return seconds
  }
  return null
}

const isCounted = (name: string): name is Counted => COUNTED.some((each) => each === name)

const zeroCounts = (): Counts => Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts
