/**
 * Schemas for options of the configuration and of plugins. They also accept text, because environment variables and
 * `--set` contain only text.
 */
import { z } from 'zod'
import { describeIssue } from './describe-issue.js'
import { parseBoolean, parseDuration, parseSize } from './setting-text.js'

const DURATION_UNITS = {
  s: { unitMs: 1000, unitName: 'seconds', examples: '90s, 12h' },
  d: { unitMs: 86_400_000, unitName: 'days', examples: '4w' },
}

/**
 * Marks schemas whose values `mayfly config list` masks. Shared by all copies of this module: a plugin may have its
 * own.
 */
const SECRET = Symbol.for('mayfly.secret')

/** Schema for an integer option. Also accepts decimal text, but not `0x10`, ` 7` or `1e3`. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )
}

/**
 * Schema for a boolean option. Also accepts yes, no, on, off, 1 and 0, and refuses all other texts, so that a typo
 * never enables a feature.
 */
export function flag() {
  return z.preprocess(parseBoolean, z.boolean())
}

/**
 * Schema for an option with several values. Also accepts a comma-separated text. `item`: schema of one value; default:
 * any text.
 */
export function list<Item extends z.ZodType = z.ZodString>(item?: Item) {
  return z.preprocess(splitList, z.array((item ?? z.string()) as Item))
}

/** Schema for an option with several objects. Also accepts them as JSON text. */
export function jsonList<Item extends z.ZodType>(item: Item) {
  return z
    .preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), z.array(z.unknown()))
    .transform((all, ctx) =>
      all.flatMap((each, index) => {
        const { data, error } = item.safeParse(each)
        for (const issue of error?.issues ?? []) {
          const message = `${[index, ...issue.path].join('.')}: ${describeIssue(issue)}`
          ctx.addIssue({ code: 'custom', message })
        }
        return data ?? []
      }),
    )
}

/** Invalid JSON stays a text, which the schema then rejects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Turns a comma-separated text into its values without spaces and empty ones. Returns other values unchanged. */
export function splitList(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value
}

/**
 * Schema for a duration: ms as a number, or text with a unit, such as `500ms`, `30s`, `15m`, `12h` or `7d`. Output,
 * `min` and `max`: ms.
 */
export function duration(min: number, max: number) {
  return z.preprocess(
    (value) => parseDuration(value),
    z.int('must be a duration, such as 500ms, 30s, 15m, 12h or 7d').min(min).max(max),
  )
}

/**
 * Schema for a whole number of seconds or days: a number, or text with a unit, such as `90s`, `12h` or `30d`. Output,
 * `min` and `max`: `unit`.
 */
export function durationIn(unit: 's' | 'd', min: number, max: number) {
  const { unitMs, unitName, examples } = DURATION_UNITS[unit]
  const message = `must be a number of ${unitName}, or a duration such as ${examples} or 30d`
  return z.preprocess((value) => parseDuration(value, unitMs), z.int(message).min(min).max(max))
}

/**
 * Schema for a size: bytes as a number, or text with a unit, such as `64KiB`, `10MiB` or `1GB`. Output, `min` and
 * `max`: bytes.
 */
export function bytes(min: number, max: number) {
  return z.preprocess(parseSize, z.int('must be a size, such as 512, 64KiB, 10MiB or 1GB').min(min).max(max))
}

/** Marks an option whose value must not be displayed. Call it last: every zod method returns a new schema. */
export function secret<T extends z.ZodType>(schema: T): T {
  return Object.assign(schema, { [SECRET]: true })
}

/** True if the value of a schema must not be displayed. */
export const isSecretOption = (schema: object): boolean => SECRET in schema

/** zod accepts a fraction as the length of a prefix. */
const cidrv6 = z.cidrv6().refine((range) => /\/\d+$/.test(range))

/** IP addresses and CIDR ranges. */
export const IP_RANGES = [z.ipv4(), z.ipv6(), z.cidrv4(), cidrv6] as const
