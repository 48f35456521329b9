import { expect, test } from 'vitest'
import { CreateToken } from '#shared/api'
import { invalidLimits, LIMIT_MAX, NO_LIMITS, parseLimits } from './token-limits.js'

test('empty limits are valid and left out', () => {
  expect(invalidLimits(NO_LIMITS)).toEqual([])
  expect(parseLimits({ maxSecrets: '', maxBytes: ' ' })).toEqual({})
})

test.each(['0', '-1', '1.5', '1e3', '1000001', 'ten', '１'])('invalidLimits reports "%s"', (value) => {
  expect(invalidLimits({ maxSecrets: value, maxBytes: value })).toEqual(['maxSecrets', 'maxBytes'])
})

test('the server accepts the smallest and the largest limits', () => {
  for (const entries of [
    { maxSecrets: '1', maxBytes: ' 1 ' },
    { maxSecrets: String(LIMIT_MAX.maxSecrets), maxBytes: String(LIMIT_MAX.maxBytes) },
  ]) {
    expect(invalidLimits(entries)).toEqual([])
    expect(CreateToken.safeParse({ name: 'x', ...parseLimits(entries) }).success).toBe(true)
  }
  expect(parseLimits({ maxSecrets: '1', maxBytes: ' 2 ' })).toEqual({ maxSecrets: 1, maxBytes: 2_000_000 })
})
