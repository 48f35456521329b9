import { expect, test } from 'vitest'
import { invalidRequestFields, newRequestValues, toRequestOptions } from './validate-request.js'

const LIMITS = {
  lifetimes: [{ min: 60, max: 28 * 86_400 }],
  ttl: 86_400,
  files: true,
  addressRequired: false,
}
const EMPTY = newRequestValues(LIMITS)

test('a new form is valid and asks for one submission within a week', () => {
  expect(invalidRequestFields(EMPTY, LIMITS)).toEqual([])
  expect(toRequestOptions(EMPTY)).toEqual({ ttl: 7 * 86_400, maxSubmissions: 1, allowFiles: true })
})

test('a new form asks for the default of a policy that does not allow a week, and for no files', () => {
  const lifetimes = [{ min: 3600, max: 3600 }]
  const values = newRequestValues({ ...LIMITS, lifetimes, ttl: 3600, files: false })
  expect(values).toMatchObject({ ttl: 3600, allowFiles: false })
})

test('invalidRequestFields names a lifetime that the policy does not allow, and a missing address', () => {
  const strict = { ...LIMITS, lifetimes: [{ min: 3600, max: 3600 }], addressRequired: true }
  expect(invalidRequestFields(EMPTY, strict)).toEqual(['ttl', 'allowedIp'])
  expect(invalidRequestFields({ ...EMPTY, ttl: 3600, allowedIp: '10.0.0.0/8' }, strict)).toEqual([])
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
