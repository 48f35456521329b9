import { expect, test } from 'vitest'
import { FIELDS, wrongIn } from './sign-up-rules.js'

const GOOD = { email: 'alice@example.org', username: 'alice_1', password: 'amber-river' }

test('good entries', () => {
  expect(FIELDS.filter((name) => wrongIn(name, GOOD))).toEqual([])
})

test.each([
  ['email', ''],
  ['email', 'alice'],
  ['email', 'alice@localhost'],
  ['email', 'a b@example.org'],
  ['username', 'abc'],
  ['username', 'a'.repeat(21)],
  ['username', 'ali ce'],
  ['username', 'älice'],
  ['password', 'four'],
  ['password', 'x'.repeat(51)],
] as const)('%s: "%s" is wrong', (name, value) => {
  expect(wrongIn(name, { ...GOOD, [name]: value })).toBe(true)
})

test.each([
  ['username', ' Alice '],
  ['password', '😀😀😀😀😀'],
  ['password', ' '.repeat(5)],
  ['email', ' alice@example.org '],
] as const)('%s: "%s" is fine', (name, value) => {
  expect(wrongIn(name, { ...GOOD, [name]: value })).toBe(false)
})
