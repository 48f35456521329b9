import { expect, test } from 'vitest'
import { invalidAccountFields, passwordRange, trimAccount } from './validate-account.js'

const GOOD = { email: 'alice@example.org', username: 'alice', password: 'amber-river-94' }
const RANGE = { min: 5, max: 50 }

test('passwordRange is stricter for admins', () => {
  const limits = { passwordMin: 5, passwordMax: 50 } as Parameters<typeof passwordRange>[0]
  expect(passwordRange(limits, false)).toEqual({ min: 5, max: 50 })
  expect(passwordRange(limits, true)).toEqual({ min: 12, max: 50 })
  expect(passwordRange({ ...limits, passwordMin: 20 }, true)).toEqual({ min: 20, max: 50 })
})

test('invalidAccountFields names the invalid fields', () => {
  expect(invalidAccountFields(GOOD, RANGE)).toEqual([])
  expect(invalidAccountFields({ email: 'alice', username: 'ali', password: 'four' }, RANGE)).toEqual([
    'email',
    'username',
    'password',
  ])
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
  ['password', '😀😀😀😀'],
  ['password', 'x'.repeat(51)],
] as const)('%s: "%s" is wrong', (name, value) => {
  expect(invalidAccountFields({ ...GOOD, [name]: value }, RANGE)).toEqual([name])
})

test.each([
  ['username', ' Alice '],
  ['password', '😀😀😀😀😀'],
  ['password', ' '.repeat(5)],
  ['email', ' alice@example.org '],
] as const)('%s: "%s" is fine', (name, value) => {
  expect(invalidAccountFields({ ...GOOD, [name]: value }, RANGE)).toEqual([])
})

test('invalidAccountFields ignores the password without a range', () => {
  expect(invalidAccountFields({ ...GOOD, password: '' }, null)).toEqual([])
})

test('trimAccount keeps the spaces of a password', () => {
  expect(trimAccount({ email: ' a@example.org ', username: ' alice ', password: ' x ' })).toEqual({
    email: 'a@example.org',
    username: 'alice',
    password: ' x ',
  })
})
