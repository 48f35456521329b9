/** Parses and formats durations: `90`, `30s`, `1d`. */
import type { EpochMs } from '#shared/epoch-ms'
import { CliError } from '../lib/cli-error.js'
import { formatCount } from './sanitize.js'

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 } as const
const NAMES = [
  ['day', SECONDS.d],
  ['hour', SECONDS.h],
  ['minute', SECONDS.m],
  ['second', SECONDS.s],
] as const

/**
 * Returns seconds. Accepts a whole number with s, m, h, d or w; no unit means seconds. Throws CliError `usage` with the
 * flag name.
 */
export function parseDuration(flag: string, text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text.trim()) ?? []
  if (number === undefined || Number(number) === 0) {
    throw new CliError(
      'usage',
      `${flag} is not a duration`,
      'use a whole number with s, m, h, d or w, such as 90s or 1d',
    )
  }
  return Number(number) * SECONDS[unit as keyof typeof SECONDS]
}

/** Returns when the duration ends that begins now: never without one. Throws as `parseDuration`. */
export const parseDeadline = (flag: string, text: string | undefined): EpochMs =>
  text === undefined ? Number.POSITIVE_INFINITY : Date.now() + parseDuration(flag, text) * 1000

/** `1 day`, `6 days 23 hours`: the two largest units that are not zero. */
export function formatDuration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds))
  const first = NAMES.findIndex(([, size]) => rest >= size)
  if (first < 0) return '0 seconds'
  return NAMES.slice(first, first + 2)
    .flatMap(([name, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count > 0 ? [formatCount(count, name)] : []
    })
    .join(' ')
}
