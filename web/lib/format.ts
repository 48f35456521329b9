/** Formats dates, durations and numbers for a language. */
import type { EpochMs } from '#shared/epoch-ms'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

export type Unit = (typeof UNITS)[number][0]

export const secondsOf = (unit: Unit): number => UNITS.find(([name]) => name === unit)?.[1] ?? 1

/** "1 day, 2 hours": exact, without zero units. */
export function formatDuration(seconds: number, language: string): string {
  const parts: string[] = []
  let rest = seconds
  for (const [unit, size] of UNITS) {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    if (amount > 0 || (unit === 'second' && parts.length === 0))
      parts.push(getUnitFormat(unit, language).format(amount))
  }
  return parts.length === 1 ? (parts[0] as string) : new Intl.ListFormat(language, { type: 'unit' }).format(parts)
}

/** The plural name of a unit of time. */
export function unitName(unit: Unit, language: string): string {
  const parts = getUnitFormat(unit, language).formatToParts(5)
  return parts.find(({ type }) => type === 'unit')?.value.trim() ?? unit
}

/** "in 90 minutes": exact, in the largest unit without a remainder. Languages with cases decline it. */
export function formatInDuration(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(language).format(seconds / size, unit)
}

/** "in 3 minutes": rounded up to minutes from a minute on, for countdowns. */
export const formatCountdown = (seconds: number, language: string): string =>
  formatInDuration(seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60, language)

/** "02:10" in the time zone of the browser. `time`: within the next hours. */
export const formatTime = (time: EpochMs, language: string): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(time)

/** A date and time with the time zone, for readers in other zones. */
export function formatDateTimeWithZone(time: EpochMs, language: string): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, { ...parts, timeZoneName: 'short' }).format(time)
}

export const formatNumber = (value: number, language: string): string => new Intl.NumberFormat(language).format(value)

/** Values of a text that names a range. */
export const formatRange = ({ min, max }: { min: number; max: number }, language: string) => ({
  min: formatNumber(min, language),
  max: formatNumber(max, language),
})

const BYTE_UNITS = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const

/** "42%". */
export const formatPercent = (percent: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(percent / 100)

/** "1.2 MB", "12 bytes". */
export function formatBytes(count: number, language: string): string {
  const [unit, size] = BYTE_UNITS.find(([, size]) => count >= size) ?? (['byte', 1] as const)
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const style = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(count / size)
}

/** Isolates a left-to-right text, such as a URL, inside a sentence of any direction. */
export const isolateLtr = (text: string): string => `\u2066${text}\u2069`

/** Isolates a text of unknown direction, such as one of a plugin, so that its punctuation stays at its end. */
export const isolate = (text: string): string => `\u2068${text}\u2069`

/** Removes control characters from a user-supplied name, so that it cannot reorder or hide the text around it. */
export const sanitizeName = (text: string): string =>
  text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')

const unitFormats = new Map<string, Intl.NumberFormat>()

/** Cached, because creating a formatter is slow. */
function getUnitFormat(unit: Unit, language: string): Intl.NumberFormat {
  const key = `${unit} ${language}`
  const format = unitFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  unitFormats.set(key, format)
  return format
}
