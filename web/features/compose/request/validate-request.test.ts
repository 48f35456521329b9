import { expect, test } from 'vitest'
import { invalidRequestFields, newRequestValues, toRequestOptions } from './validate-request.js'

const LIMITS = { ttlMin: 60, ttlMax: 28 * 86_400 }
const EMPTY = newRequestValues({ ttlMax: LIMITS.ttlMax } as Parameters<typeof newRequestValues>[0])

test('a new form is valid and asks for one submission within a week', () => {
  expect(invalidRequestFields(EMPTY, LIMITS)).toEqual([])
  expect(toRequestOptions(EMPTY)).toEqual({ ttl: 7 * 86_400, maxSubmissions: 1, allowFiles: true })
})

test.each([
  [3600, 3600],
  [2 * 86_400, 86_400],
])('with a maximum of %i s a new form asks for %i s', (ttlMax, ttl) => {
  expect(newRequestValues({ ttlMax } as Parameters<typeof newRequestValues>[0]).ttl).toBe(ttl)
})

test.each([
  ['title', 'two\nlines'],
  ['title', 'é'.repeat(256)],
  ['submissions', '0'],
  ['submissions', '101'],
  ['submissions', '1.5'],
  ['submissions', ''],
  ['megabytes', '0'],
  ['megabytes', '-1'],
  ['megabytes', '1e3'],
  ['megabytes', '9999999'],
  ['allowedIp', 'büro'],
] as const)('%s %j is invalid', (field, value) => {
  expect(invalidRequestFields({ ...EMPTY, [field]: value }, LIMITS)).toEqual([field])
})

test('a custom time outside of the limits is invalid', () => {
  expect(invalidRequestFields({ ...EMPTY, ttl: 'custom', amount: '29', unit: 'day' }, LIMITS)).toEqual(['ttl'])
  expect(invalidRequestFields({ ...EMPTY, ttl: 'custom', amount: 'x' }, LIMITS)).toEqual(['ttl'])
})

test('every option is sent, with megabytes as bytes', () => {
  const values = { ...EMPTY, submissions: '3', megabytes: '1,5', allowFiles: false, allowedIp: ' 10.0.0.0/8 ' }
  expect(toRequestOptions(values)).toEqual({
    ttl: 7 * 86_400,
    maxSubmissions: 3,
    maxBytes: 1_500_000,
    allowFiles: false,
    allowedIp: '10.0.0.0/8',
  })
})
