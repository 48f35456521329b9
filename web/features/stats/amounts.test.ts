import { expect, test } from 'vitest'
import { approximate, axisMaximum, labeledDays, percentOf, shareOf } from './amounts.js'

test.each([
  [[], 10],
  [[0, 3], 10],
  [[6], 10],
  [[11], 20],
  [[21, 49], 50],
  [[51], 100],
  [[1001], 2000],
])('axisMaximum of %j is %i', (amounts, top) => {
  expect(axisMaximum(amounts)).toBe(top)
  expect(axisMaximum(amounts) / 2, 'its label in the middle').toSatisfy(Number.isInteger)
})

test('percentOf rounds, and returns null for an unknown part or an empty whole', () => {
  expect([percentOf(1, 3), percentOf(0, 3), percentOf(null, 3), percentOf(5, 0)]).toEqual([33, 0, null, null])
  expect(percentOf(10, 5)).toBe(100)
})

test('approximate replaces null by a small amount', () => {
  expect([approximate(null), approximate(7)]).toEqual([2, 7])
})

test('shareOf returns a limit for a few', () => {
  expect([shareOf(40, 80), shareOf(null, 100), shareOf(0, 0)]).toEqual([
    { percent: 50, isLimit: false },
    { percent: 5, isLimit: true },
    { percent: 0, isLimit: false },
  ])
})

test('labeledDays returns the last day and one in each week before it', () => {
  const days = Array.from({ length: 30 }, (_, index) => index + 1)
  expect(labeledDays(days)).toEqual([30, 23, 16, 9, 2])
})
