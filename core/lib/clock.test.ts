import { beforeEach, expect, test } from 'vitest'
import { createMonotonicClock } from './clock.js'
import { createLog } from './log.js'

const T0 = 3_000_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let machine: { wall: number; monotonic: number }
let log: string[]
beforeEach(() => {
  machine = { wall: T0, monotonic: 5 }
  log = []
})

const start = () =>
  createMonotonicClock({
    log: createLog('debug', 'json', (line) => void log.push(line)),
    wall: () => machine.wall,
    monotonic: () => machine.monotonic,
  })
/** Time passes by this many ms, and the system clock jumps by `leap` more. */
const pass = (ms: number, leap = 0) => {
  machine.wall += ms + leap
  machine.monotonic += ms
}

test('now follows the system clock and small corrections', () => {
  const clock = start()
  pass(DAY)
  expect(clock.now()).toBe(T0 + DAY)
  pass(1000, 1000)
  expect(clock.now()).toBe(T0 + DAY + 2000)
  expect(clock.isTrusted()).toBe(true)
  expect(log).toEqual([])
})

test.each([1000, HOUR, 365 * DAY])(
  'REL-09: now continues from the latest value when the clock is set back by %d ms',
  (back) => {
    const clock = start()
    pass(HOUR)
    clock.now()
    pass(MINUTE, -back)
    expect(clock.now()).toBe(T0 + HOUR + MINUTE)
    pass(10 * MINUTE)
    expect(clock.now()).toBe(T0 + HOUR + 11 * MINUTE)
    expect(clock.isTrusted()).toBe(true)
  },
)

test.each([HOUR + 1, 31 * DAY, 400 * DAY])(
  'REL-09: now follows a jump of %d ms, which is trusted after an hour',
  (leap) => {
    const clock = start()
    pass(MINUTE, leap)
    expect(clock.now()).toBe(T0 + MINUTE + leap)
    expect(clock.isTrusted()).toBe(false)
    pass(59 * MINUTE)
    expect(clock.isTrusted()).toBe(false)
    pass(MINUTE)
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(T0 + HOUR + MINUTE + leap)
    expect(log).toHaveLength(1)
  },
)

test('a jump that is undone does not change the clock', () => {
  const clock = start()
  pass(MINUTE, 365 * DAY)
  expect(clock.isTrusted()).toBe(false)
  pass(MINUTE, -365 * DAY)
  expect(clock.isTrusted()).toBe(true)
  expect(clock.now()).toBe(T0 + 2 * MINUTE)
})

test('atLeast raises the start time', () => {
  const clock = start()
  clock.atLeast(T0 - DAY)
  expect(clock.now()).toBe(T0)
  clock.atLeast(T0 + DAY)
  expect(clock.now()).toBe(T0 + DAY)
  pass(HOUR)
  expect(clock.now()).toBe(T0 + DAY + HOUR)
  expect(log).toHaveLength(1)
})
