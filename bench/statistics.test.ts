import { expect, test } from 'vitest'
import { estimateMedian } from './statistics.js'

const numbersDownFrom = (count: number) => Array.from({ length: count }, (_, at) => count - at)

// The table of the sign test: of so many values, the interval leaves out so many at each end.
test.each([
  [6, 0],
  [8, 0],
  [9, 1],
  [12, 2],
  [20, 5],
])('the interval of the median of %i values leaves out %i at each end', (count, omitted) => {
  const { interval } = estimateMedian(numbersDownFrom(count))
  expect(interval).toEqual([1 + omitted, count - omitted])
})

test('the median of fewer than six values has no interval', () => {
  expect(estimateMedian(numbersDownFrom(5))).toEqual({ median: 3, interval: null })
})
