import { expect, test, vi } from 'vitest'
import type { LimitStore } from '../contracts/limits.js'
import { createLocalCounters } from './local-store.js'
import { withReservedPoints } from './reserved-points.js'

const NOW = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** Processes that share counters, and the calls that reach the counters. */
function sharing(processes: number) {
  const shared = createLocalCounters()
  const consume = vi.fn<LimitStore['consume']>(shared.consume)
  return { consume, processes: Array.from({ length: processes }, () => withReservedPoints({ ...shared, consume })) }
}

const take = { name: 'a', points: 1, limit: 60, windowMs: MINUTE, canReserve: true }
type Counters = ReturnType<typeof withReservedPoints>
const isGranted = async (counters: Counters, request = take, now = NOW) =>
  (await counters.consume([request], now))[0]?.granted === true

/** Number of granted requests. */
async function grantedOf(requests: Promise<boolean>[]): Promise<number> {
  return (await Promise.all(requests)).filter(Boolean).length
}

test('one process grants exactly the limit, with few requests to the store', async () => {
  const { consume, processes } = sharing(1)
  const [counters] = processes as [Counters]
  for (let used = 1; used <= 60; used++) {
    expect(await counters.consume([take], NOW)).toEqual([{ granted: true, used, endsAt: NOW + MINUTE }])
  }
  expect(await isGranted(counters)).toBe(false)
  expect(consume.mock.calls.length).toBeLessThan(30)
})

test('several processes never exceed the limit, and each leaves up to a tenth of it unused', async () => {
  const { processes } = sharing(4)
  const requests = Array.from({ length: 200 }, (_, index) => isGranted(processes[index % 4] as Counters))
  const granted = await grantedOf(requests)
  expect(granted).toBeLessThanOrEqual(60)
  expect(granted).toBeGreaterThanOrEqual(60 - 4 * 6)
})

test('reserved points end with their window and with a reset', async () => {
  const { processes, consume } = sharing(1)
  const [counters] = processes as [Counters]
  await isGranted(counters)
  const [next] = await counters.consume([take], NOW + MINUTE)
  expect(next).toEqual({ granted: true, used: 1, endsAt: NOW + 2 * MINUTE })
  await counters.reset(['a'])
  const calls = consume.mock.calls.length
  expect(await counters.consume([take], NOW + MINUTE)).toMatchObject([{ used: 1 }])
  expect(consume.mock.calls.length).toBe(calls + 1)
})

test('a process reserves up to reserveMax, and a request for 0 points reads the used points', async () => {
  const { processes, consume } = sharing(1)
  const [counters] = processes as [Counters]
  const charge = { ...take, points: 10, limit: 1000, reserveMax: 20 }
  for (let used = 10; used <= 60; used += 10)
    expect(await counters.consume([charge], NOW)).toEqual([{ granted: true, used, endsAt: NOW + MINUTE }])
  expect(consume.mock.calls.map(([[request]]) => request?.points)).toEqual([30, 30])
  await counters.consume([charge], NOW)
  expect(await counters.consume([{ ...charge, points: 0 }], NOW)).toMatchObject([{ granted: true, used: 70 }])
  expect(consume.mock.calls.map(([[request]]) => request?.points)).toEqual([30, 30, 30, 0])
})

test('a request that may not reserve reaches the store', async () => {
  const { processes, consume } = sharing(1)
  const [counters] = processes as [Counters]
  for (let times = 0; times < 5; times++) await isGranted(counters, { ...take, canReserve: false })
  expect(consume.mock.calls.map(([requests]) => requests[0]?.points)).toEqual([1, 1, 1, 1, 1])
})

test('one process grants exactly the limit to concurrent requests', async () => {
  const { processes } = sharing(1)
  const [counters] = processes as [Counters]
  expect(await grantedOf(Array.from({ length: 100 }, () => isGranted(counters)))).toBe(60)
})

test('one process grants exactly the limit to requests of more points than it reserves', async () => {
  const { processes } = sharing(1)
  const [counters] = processes as [Counters]
  const large = { ...take, points: 100, limit: 550 }
  const used = []
  for (let times = 0; times < 5; times++) used.push((await counters.consume([large], NOW))[0]?.used)
  expect(used).toEqual([100, 200, 300, 400, 500])
  expect(await isGranted(counters, large)).toBe(false)
  expect(await isGranted(counters, { ...large, points: 50 })).toBe(true)
  expect(await isGranted(counters, { ...large, points: 1 })).toBe(false)
})
