import { describe, expect, test } from 'vitest'
import { formatProgressLine } from './progress.js'

const line = (done: number, total: number, ms: number, isWaiting = false) =>
  formatProgressLine('Sending', { done, total, isWaiting }, ms)

describe('formatProgressLine', () => {
  test.each([
    [18_000_000, 43_000_000, 3000, 'Sending  41 %  18/43 MB  6 MB/s  5 s left'],
    [500_000, 2_000_000, 1000, 'Sending  25 %  500/2000 kB  500 kB/s  3 s left'],
    [0, 43_000_000, 3000, 'Sending  0 %  0/43 MB'],
    [43_000_000, 43_000_000, 1000, 'Sending  100 %  43/43 MB  43 MB/s  0 s left'],
    [0, 0, 1000, 'Sending  100 %  0/0 kB'],
    [5, 10, 0, 'Sending  50 %  0/0 kB'],
  ])('%i of %i after %i ms', (done, total, ms, expected) => {
    expect(line(done, total, ms)).toBe(expected)
  })

  test('shows waiting instead of the remaining time', () => {
    expect(line(18_000_000, 43_000_000, 3000, true)).toBe('Sending  41 %  18/43 MB  waiting for the connection')
  })
})
