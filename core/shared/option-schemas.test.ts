import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bytes, duration, durationIn, flag, IP_RANGES, list, wholeNumber } from './option-schemas.js'

const output = (schema: z.ZodType, value: unknown) => schema.safeParse(value).data ?? 'invalid'

describe('options accept values and the text of environment variables', () => {
  const HOUR = 3_600_000
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['flag', flag(), 'true', true],
    ['flag', flag(), false, false],
    ['flag', flag(), 'yes', true],
    ['flag', flag(), 'Off', false],
    ['flag', flag(), 0, false],
    ['flag', flag(), 'y', 'invalid'],
    ['flag', flag(), 2, 'invalid'],
    ['flag', flag(), 'constructor', 'invalid'],
    ['list', list(), 'a, b,,☃', ['a', 'b', '☃']],
    ['list', list(), ',', []],
    ['list', list(z.enum(['a', 'b'])), 'a,c', 'invalid'],
    ['list', list(), { a: 1 }, 'invalid'],
    ['wholeNumber', wholeNumber(1, 9), '7', 7],
    ['wholeNumber', wholeNumber(1, 9), '0x7', 'invalid'],
    ['duration', duration(0, HOUR), '15m', 900_000],
    ['duration', duration(0, HOUR), '500ms', 500],
    ['duration', duration(0, HOUR), 250, 250],
    ['duration', duration(0, HOUR), '250', 250],
    ['duration', duration(0, HOUR), '2h', 'invalid'],
    ['duration', duration(0, HOUR), '1.5m', 'invalid'],
    ['duration', duration(0, HOUR), '5 m', 'invalid'],
    ['duration', duration(0, HOUR), '1constructor', 'invalid'],
    ['duration', duration(0, HOUR), '', 'invalid'],
    ['bytes', bytes(1, 2 ** 40), '64KiB', 65_536],
    ['bytes', bytes(1, 2 ** 40), '1GB', 1e9],
    ['bytes', bytes(1, 2 ** 40), '512', 512],
    ['bytes', bytes(1, 100), '1KiB', 'invalid'],
    ['bytes', bytes(1, 2 ** 40), '1kib', 1024],
    ['bytes', bytes(1, 2 ** 40), '1K', 'invalid'],
    ['duration', duration(0, 10 * 24 * HOUR), '1w', 604_800_000],
    ['bytes', bytes(1, 2 ** 40), null, 'invalid'],
    ['durationIn', durationIn('d', 1, 30), '2w', 14],
    ['durationIn', durationIn('s', 1, 90), '2m', 'invalid'],
    ['durationIn', durationIn('s', 1, 90), 60, 60],
  ])('%s: %#', (_, schema, value, expected) => {
    expect(output(schema, value)).toEqual(expected)
  })

  test('the error of a duration and a size shows examples', () => {
    const message = (schema: z.ZodType) => schema.safeParse('soon').error?.issues[0]?.message
    expect(message(duration(0, HOUR))).toContain('such as 500ms, 30s, 15m')
    expect(message(bytes(0, 1))).toContain('such as 512, 64KiB')
  })

  test('defaults and descriptions stay', () => {
    const schema = duration(0, HOUR).default(1000).describe('time limit')
    expect(schema.parse(undefined)).toBe(1000)
    expect(schema.description).toBe('time limit')
  })
})

test.each([
  ['203.0.113.7', true],
  ['2001:db8::/33', true],
  ['2001:db8::/33.72', false],
  ['2001:db8::/129', false],
  ['203.0.113.0/3.3', false],
  ['2001:db8::/1e1', false],
])('IP_RANGES accepts %s: %s', (range, isAccepted) => {
  expect(z.union(IP_RANGES).safeParse(range).success).toBe(isAccepted)
})
