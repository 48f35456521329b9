/** Formats times for a language. In a chunk of its own: the form of a secret needs it before the app starts. */
import type { EpochMs } from '#shared/epoch-ms'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** By language: creating a formatter takes longer than formatting, and lists have hundreds of times. */
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()
const dateTimeFormats = new Map<string, Intl.DateTimeFormat>()

/** "in 3 hours", "tomorrow". */
export function formatRelativeTime(time: EpochMs, now: EpochMs, language: string): string {
  const seconds = (time - now) / 1000
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  const format = relativeFormats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  relativeFormats.set(language, format)
  return format.format(Math.round(seconds / size), unit)
}

/** "22 Nov 2026, 02:10" in the time zone of the browser. */
export function formatDateTime(time: EpochMs, language: string): string {
  const format =
    dateTimeFormats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  dateTimeFormats.set(language, format)
  return format.format(time)
}
