import { expect, test } from 'vitest'
import { parseNames } from './parse-names.js'

test.each<[string, string[] | null]>([
  ['', []],
  [' \n\n', []],
  ['Zoë\r\n\n Anna \nZoë', ['Zoë', 'Anna', 'Zoë']],
  ['3', ['1', '2', '3']],
  ['0', []],
  ['3\nAnna', ['3', 'Anna']],
  ['1001', null],
  ['a\n'.repeat(1001), null],
  ['ä'.repeat(101), null],
])('parseNames parses %j', (text, names) => {
  expect(parseNames(text)).toEqual(names)
})

test('a list and a number have up to 1,000 names', () => {
  expect(parseNames('a\n'.repeat(1000))).toHaveLength(1000)
  expect(parseNames('1000')).toHaveLength(1000)
})
