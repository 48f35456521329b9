import { expect, test } from 'vitest'
import { createTokenText, formatToken, parseToken } from './api-token-format.js'

test('V6.5.2: a formatted token is parsed to the same values, and tokens are unique', () => {
  const made = Array.from({ length: 200 }, createTokenText)
  for (const token of made) expect(parseToken(formatToken(token))).toEqual(token)
  expect(new Set(made.map(({ id }) => id)).size).toBe(200)
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(200)
})

/** Of another implementation of CRC-32, in base 62. */
const SUM = '1c8V4g'

test('the checksum is CRC-32', () => {
  const token = { id: 'ABCDEFGH', secret: '0'.repeat(43) }
  expect(formatToken(token)).toBe(`mf_ABCDEFGH_${'0'.repeat(43)}${SUM}`)
})

test.each([0, 5, 12, 30, 57, 60])('a wrong character at position %i is detected', (at) => {
  const text = formatToken(createTokenText())
  const other = text[at] === 'A' ? 'B' : 'A'
  expect(parseToken(text.slice(0, at) + other + text.slice(at + 1))).toBe(null)
})

test.each(['', 'mf_', 'x'.repeat(61), ` ${formatToken(createTokenText())}`, `${formatToken(createTokenText())}\n`])(
  '%j is none',
  (text) => expect(parseToken(text)).toBe(null),
)
