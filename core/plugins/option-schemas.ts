/** Schemas for plugin options. They also accept text, because environment variables and `--set` contain only text. */
import { z } from 'zod'

/** Schema for an integer option. Also accepts decimal text, but not `0x10`, ` 7` or `1e3`. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )
}

/** Schema for a boolean option. Also accepts `true` and `false`, and nothing else, so that a typo never enables a feature. */
export function flag() {
  return z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], 'must be true or false')
}

/** Schema for an option with several values. Also accepts a comma-separated text. `item`: schema of one value; default: any text. */
export function list<Item extends z.ZodType = z.ZodString>(item?: Item) {
  return z.preprocess(splitList, z.array((item ?? z.string()) as Item))
}

/** Turns a comma-separated text into its values without spaces and empty ones. Returns other values unchanged. */
export function splitList(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value
}

const DURATION_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SIZE_BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** Schema for a duration: ms as a number, or text with a unit, such as `500ms`, `30s`, `15m`, `12h` or `7d`. Output, `min` and `max`: ms. */
export function duration(min: number, max: number) {
  return z.preprocess(
    (value) => parseQuantity(value, DURATION_MS),
    z.int('must be a duration, such as 500ms, 30s, 15m, 12h or 7d').min(min).max(max),
  )
}

/** Schema for a size: bytes as a number, or text with a unit, such as `64KiB`, `10MiB` or `1GB`. Output, `min` and `max`: bytes. */
export function bytes(min: number, max: number) {
  return z.preprocess(
    (value) => parseQuantity(value, SIZE_BYTES),
    z.int('must be a size, such as 512, 64KiB, 10MiB or 1GB').min(min).max(max),
  )
}

/** Returns the number of units. Other values stay as they are, for the error of the schema. */
function parseQuantity(value: unknown, units: Record<string, number>): unknown {
  if (typeof value !== 'string') return value
  const [, digits = '', unit = ''] = /^(\d{1,15})([A-Za-z]*)$/.exec(value) ?? []
  if (digits === '' || (unit !== '' && !Object.hasOwn(units, unit))) return value
  return Number(digits) * (units[unit] ?? 1)
}

/** Marks schemas whose values `mayfly config list` masks. */
const SECRET = Symbol.for('mayfly.secret')

/** Marks an option whose value must not be displayed. Call it last: every zod method returns a new schema. */
export function secret<T extends z.ZodType>(schema: T): T {
  return Object.assign(schema, { [SECRET]: true })
}
