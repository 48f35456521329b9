import { expect, test } from 'vitest'
import { createSpeedMeter } from './transfer-speed.js'

const MB = 1_000_000

function metered(total: number) {
  let now = 0
  const read = createSpeedMeter(total, () => now)
  return (atMs: number, done: number, isWaiting = false) => {
    now = atMs
    return read(done, isWaiting)
  }
}

test('speed and remaining time are null until a sample is long enough', () => {
  const at = metered(100 * MB)
  expect(at(500, MB)).toMatchObject({ perSecond: null, secondsLeft: null })
  expect(at(2000, 4 * MB)).toMatchObject({ perSecond: 2 * MB, secondsLeft: 48 })
})

test('speed follows a connection that becomes faster', () => {
  const at = metered(1000 * MB)
  for (let second = 1; second <= 20; second++) at(second * 1000, second * MB)
  for (let second = 21; second <= 40; second++) at(second * 1000, (20 + (second - 20) * 10) * MB)
  expect(at(41_000, 230 * MB).perSecond).toBeCloseTo(10 * MB, -5)
})

test('speed ignores the time without a connection', () => {
  const at = metered(100 * MB)
  at(2000, 4 * MB)
  expect(at(3000, 4 * MB, true)).toMatchObject({ isWaiting: true, perSecond: null })
  at(600_000, 4 * MB, true)
  expect(at(602_000, 8 * MB)).toMatchObject({ isWaiting: false, perSecond: 2 * MB, secondsLeft: 46 })
})
