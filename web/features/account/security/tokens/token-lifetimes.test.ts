import { expect, test } from 'vitest'
import { allowedLifetimes } from './token-lifetimes.js'

test.each([
  ['unlimited', [7, 30, 90, 365]],
  ['365', [7, 30, 90, 365]],
  ['90', [7, 30, 90]],
  ['30', [7, 30]],
] as const)('with token_lifetime_days %s the form offers %j days', (token_lifetime_days, days) => {
  expect(allowedLifetimes({ token_lifetime_days })).toEqual(days)
})
