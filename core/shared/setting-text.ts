/** Values of settings as people write them: booleans, sizes and durations. */
import { lookUp } from './look-up.js'

const BOOLEANS: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
}

/** In ms. */
const DURATIONS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
/** In bytes. */
const SIZES = { b: 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }

/**
 * Returns the boolean for a word such as `yes` or `OFF`, or 1 and 0. Other values stay as they are, for the error of
 * the schema.
 */
export function parseBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const word = String(value).toLowerCase()
  return lookUp(BOOLEANS, word) ?? value
}

/**
 * Returns the bytes of a size such as `64KiB` or `1gb`; without a unit, the text is a number of bytes. Other values
 * stay.
 */
export const parseSize = (value: unknown): unknown =>
  parseQuantity(typeof value === 'string' ? value.toLowerCase() : value, SIZES, 1)

/**
 * Returns a duration such as `15m` or `30d` as a number of units of `unitMs` ms, which is also the unit of a plain
 * number. Other values stay.
 */
export const parseDuration = (value: unknown, unitMs = 1): unknown => parseQuantity(value, DURATIONS, unitMs)

function parseQuantity(value: unknown, units: Record<string, number>, one: number): unknown {
  if (typeof value !== 'string') return value
  const [, digits = '', unit = ''] = /^(\d{1,15})([A-Za-z]*)$/.exec(value) ?? []
  if (digits === '' || (unit !== '' && !Object.hasOwn(units, unit))) return value
  return (Number(digits) * (units[unit] ?? one)) / one
}
