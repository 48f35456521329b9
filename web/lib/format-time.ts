/** Formats points in time for a language. In a chunk of its own: the form of a secret has them before the app starts. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "in 3 hours", "tomorrow". Times are epoch ms. */
export function formatRelativeTime(time: number, now: number, language: string): string {
  const seconds = (time - now) / 1000
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}

/** "22 Nov 2026, 02:10" in the time zone of the browser. `time`: epoch ms. */
export function formatDateTime(time: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time)
}
