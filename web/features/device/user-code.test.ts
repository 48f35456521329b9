import { expect, test } from 'vitest'
import { parseUserCode } from './user-code.js'

test.each([
  ['BCDF-GHJK', 'BCDF-GHJK'],
  [' bcdf ghjk ', 'BCDF-GHJK'],
  ['bcdfghjk', 'BCDF-GHJK'],
  ['', null],
  ['BCDF-GHJ', null],
  ['BCDF-GHJKL', null],
  ['ABCD-EFGH', null],
])('parseUserCode reads "%s"', (text, code) => {
  expect(parseUserCode(text)).toBe(code)
})
