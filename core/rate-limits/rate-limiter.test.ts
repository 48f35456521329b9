import { expect, onTestFinished, test, vi } from 'vitest'
import { anonymous } from '../contracts/auth-context.js'
import type { ConsumeRequest, LimitStore } from '../contracts/limits.js'
import { AppError, isAppError } from '../lib/errors.js'
import { createLog, noLog } from '../lib/log.js'
import { withLocalFallback } from './fallback-store.js'
import { createLocalCounters } from './local-store.js'
import { type Counted, createRateLimiter } from './rate-limiter.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const here = anonymous('203.0.113.1')
const KEY = Buffer.alloc(32, 1)

/** Limits on a memory store that records every call. */
function limiting({ factor = 1, fails = (): boolean => false, key = KEY } = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const inMemory = createLocalCounters()
  const asked: ConsumeRequest[][] = []
  const consume = vi.fn<LimitStore['consume']>(async (requests, now) => {
    asked.push(requests)
    if (fails()) throw new AppError('storage.unavailable')
    return inMemory.consume(requests, now)
  })
  const log: string[] = []
  const notes: unknown[] = []
  const events: unknown[] = []
  const create = () =>
    createRateLimiter({
      counters: { ...inMemory, consume },
      key,
      factor,
      audit: { note: async (note) => void notes.push(note) },
      emit: async (...event) => void events.push(event),
      log: createLog('debug', 'json', (line) => void log.push(line)),
      now: () => clock.now,
    })
  return { limits: create(), otherProcess: create(), clock, asked, consume, log, notes, events, inMemory }
}

/** Number of `times` calls that are granted. */
async function granted(times: number, consume: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, consume))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(isAppError(outcome.reason, 'limit.reached')).toBe(true)
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

test('a rule grants its limit per window', async () => {
  const { limits, clock } = limiting()
  const view = (caller: Counted) => () => limits.consume('secret-view', caller)
  expect(await granted(70, view(here))).toBe(60)
  expect(await granted(70, view(anonymous('203.0.113.2')))).toBe(60)
  clock.now += MINUTE - 1
  expect(await granted(70, view(here))).toBe(0)
  clock.now += 1
  expect(await granted(70, view(here))).toBe(60)
})

test('each refusal is an event with the name of its rule', async () => {
  const { limits, events } = limiting()
  expect(await granted(62, () => limits.consume('secret-view', here))).toBe(60)
  for (let n = 0; n < 120; n++) await limits.recordFailure('secret-missing', here)
  expect(events).toEqual([...Array(2).fill(['limit.reached', { rule: 'secret-view' }])])
  expect(() => limits.assertNotBlocked('secret-missing', here)).toThrow()
  expect(events.at(-1)).toEqual(['limit.reached', { rule: 'secret-missing' }])
})

test('an address over its own limit does not use up the limit of the instance', async () => {
  const { clock, inMemory, limits } = limiting()
  const startProcess = () =>
    createRateLimiter({
      counters: inMemory,
      key: KEY,
      factor: 1,
      audit: { note: async () => {} },
      emit: async () => {},
      log: noLog,
      now: () => clock.now,
    })
  expect(await granted(5, () => limits.consume('sign-up', here))).toBe(5)
  for (let n = 0; n < 10; n++) expect(await granted(1, () => startProcess().consume('sign-up', here))).toBe(0)
  let others = 0
  const consume = () => limits.consume('sign-up', anonymous(`198.51.100.${others++}`))
  expect(await granted(200, consume)).toBe(95)
})

test('the networks of an IPv6 /48 have a limit together, IPv4 addresses do not', async () => {
  const { limits } = limiting()
  const uploadFrom = (addressOf: (n: number) => string) => {
    let n = 0
    return granted(120, () => limits.consume('upload', anonymous(addressOf(n++))))
  }
  expect(await uploadFrom((n) => `2001:db8:1:${n.toString(16)}::1`)).toBe(100)
  expect(await uploadFrom((n) => `2001:db8:2:${n.toString(16)}::1`)).toBe(100)
  expect(await uploadFrom((n) => `203.0.113.${n}`)).toBe(120)
})

test('the networks of an IPv6 /48 view 600 secrets a minute together', async () => {
  const { limits, clock } = limiting()
  let n = 0
  const view = () => limits.consume('secret-view', anonymous(`2001:db8:1:${(n++ % 100).toString(16)}::1`))
  expect(await granted(700, view)).toBe(600)
  expect(await granted(1, () => limits.consume('secret-view', anonymous('2001:db8:2::1')))).toBe(1)
  clock.now += MINUTE
  expect(await granted(1, view)).toBe(1)
})

test('an IPv6 /64 counts as one client, and so do all unknown addresses', async () => {
  const { limits } = limiting()
  const from = (addresses: (string | null)[]) => {
    let next = 0
    return granted(70, () => limits.consume('secret-view', anonymous(addresses[next++ % addresses.length] ?? null)))
  }
  expect(await from(['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6'])).toBe(60)
  expect(await from(['2001:db8:1:3::1'])).toBe(60)
  expect(await from([null])).toBe(60)
})

test('users have their own windows from every address', async () => {
  const { limits, clock } = limiting()
  const user: Counted = { ...here, userId: 'one', username: 'alice' }
  expect(await granted(40, () => limits.consume('secret-create', here))).toBe(30)
  expect(await granted(130, () => limits.consume('secret-create', user))).toBe(120)
  expect(await granted(10, () => limits.consume('secret-create', { ...user, address: '198.51.100.1' }))).toBe(0)
  clock.now += MINUTE
  expect(await granted(130, () => limits.consume('secret-create', user))).toBe(120)
})

test('the factor applies to addresses and not to users or names', async () => {
  const { limits } = limiting({ factor: 20 })
  expect(await granted(1300, () => limits.consume('secret-view', here))).toBe(1200)
  expect(await granted(2100, () => limits.consume('sign-up', here))).toBe(100)
  expect(await granted(20, () => limits.consume('sign-in-name', here, 'alice'))).toBe(10)
})

test('an exhausted window is refused without a request to the store', async () => {
  const { limits, clock, consume } = limiting()
  await granted(60, () => limits.consume('secret-view', here))
  const calls = consume.mock.calls.length
  for (let n = 0; n < 1000; n++) await limits.consume('secret-view', here).catch(() => {})
  expect(consume.mock.calls.length).toBe(calls)
  clock.now += MINUTE
  await limits.consume('secret-view', here)
  expect(consume.mock.calls.length).toBe(calls + 1)
})

test('a refusal reports the window that ends last', async () => {
  const { limits, clock, notes } = limiting()
  const standing = () => limits.tryConsume('secret-create', here)
  expect(await standing()).toEqual({ granted: true, limit: 30, left: 29, seconds: 60 })
  for (let minute = 0; minute < 10; minute++, clock.now += MINUTE) await granted(30, standing)
  expect(await standing()).toEqual({ granted: false, limit: 300, left: 0, seconds: 24 * 60 * 60 - 10 * 60 })
  await expect(limits.consume('secret-create', here)).rejects.toMatchObject({ details: { retryAfter: 85_800 } })
  expect(notes.at(-1)).toEqual({ action: 'limit.reached', caller: here, subject: 'secret-create' })
})

test('failure rules count only failures', async () => {
  const { limits, clock } = limiting()
  const guess = async () => {
    limits.assertNotBlocked('secret-missing', here)
    await limits.recordFailure('secret-missing', here)
  }
  for (let n = 0; n < 1000; n++) limits.assertNotBlocked('secret-missing', here)
  for (let n = 0; n < 120; n++) await guess()
  await expect(guess()).rejects.toMatchObject({ code: 'limit.reached' })
  limits.assertNotBlocked('secret-missing', anonymous('203.0.113.2'))
  clock.now += HOUR
  await guess()
})

test('two processes give a caller no more failures than one, apart from one request in flight, with few calls of the store', async () => {
  const { limits, otherProcess, consume } = limiting()
  const guess = async (each: typeof limits) => {
    each.assertNotBlocked('secret-missing', here)
    await each.recordFailure('secret-missing', here)
  }
  let served = 0
  for (let n = 0; n < 300; n++) served += await granted(1, () => guess(n % 2 === 0 ? limits : otherProcess))
  expect(served).toBeLessThanOrEqual(121)
  expect(served).toBeGreaterThanOrEqual(120 - 12)
  expect(consume.mock.calls.length).toBeLessThan(50)
})

test('counter names are keyed hashes', async () => {
  const [one, other] = [limiting(), limiting({ key: Buffer.alloc(32, 2) })]
  await one.limits.consume('sign-in', here)
  await other.limits.consume('sign-in', here)
  const names = [one, other].flatMap(({ asked }) => asked.flat().map(({ name }) => name))
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/)
})

test('V16.5.1: while the store fails, a quarter of each limit applies in this process', async () => {
  let isDown = true
  const { limits, clock, log, consume } = limiting({ fails: () => isDown })
  const view = () => limits.consume('secret-view', here)
  expect(await granted(70, view)).toBe(15)
  // The store is not used for every call, because each would wait for its timeout.
  const calls = consume.mock.calls.length
  expect(await granted(70, view)).toBe(0)
  expect(consume.mock.calls.length).toBe(calls)
  isDown = false
  clock.now += 5000
  expect(await granted(70, view)).toBe(60)
  expect(log.filter((line) => line.includes('rate-limit store'))).toHaveLength(2)
})

test('a store that hangs delays a caller once, also when two groups of windows are consumed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const consume = vi.fn(() => new Promise<never>(() => {}))
  const counters = withLocalFallback({ consume, reset: async () => {} }, noLog, Date.now)
  const request = { name: 'one', points: 1, limit: 4, windowMs: MINUTE }
  const first = counters.consume([request])
  await vi.advanceTimersByTimeAsync(5000)
  await first
  expect(await counters.consume([{ ...request, name: 'two' }])).toMatchObject([{ granted: true, limit: 1 }])
  expect(consume).toHaveBeenCalledTimes(1)
})

test('SEC-41: a process keeps 50,000 counters, and forgets the least recently used one', async () => {
  const counters = createLocalCounters()
  const isNew = async (n: number) => {
    const [result] = await counters.consume([{ name: `é${n}`, points: 1, limit: 1, windowMs: MINUTE }], 1)
    return result?.granted
  }
  for (let n = 0; n < 50_000; n++) await isNew(n)
  expect([await isNew(0), await isNew(50_000)]).toEqual([false, true])
  expect([await isNew(0), await isNew(2), await isNew(1)]).toEqual([false, false, true])
})

test('with limits off nothing is refused', async () => {
  const log = createLog('error', 'json', () => {})
  const limits = createRateLimiter({
    counters: null,
    key: KEY,
    factor: 1,
    audit: { note: async () => {} },
    emit: async () => {},
    log,
    now: () => 1,
  })
  expect(await granted(1000, () => limits.consume('sign-up', here))).toBe(1000)
  expect(await limits.tryConsume('sign-up', here)).toBeNull()
})
