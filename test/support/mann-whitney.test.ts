import { expect, test } from 'vitest'
import { mannWhitney } from './mann-whitney.js'

const range = (count: number, step: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * step)

test('equal samples have p = 1', () => {
  expect(mannWhitney(range(500, 1), range(500, 1))).toBeCloseTo(1)
  expect(mannWhitney(Array(50).fill(7), Array(50).fill(7))).toBe(1)
})

// As computed by scipy.stats.mannwhitneyu(..., use_continuity=False, method='asymptotic').
test('p falls with the distance of the samples', () => {
  expect(mannWhitney(range(20, 1), range(20, 1, 5))).toBeCloseTo(0.017858, 5)
  expect(mannWhitney(range(500, 1), range(500, 1, 50))).toBeLessThan(1e-6)
  expect(mannWhitney(range(500, 1), range(500, 1, 5))).toBeGreaterThan(0.5)
})
