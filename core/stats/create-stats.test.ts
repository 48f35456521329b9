import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Events } from '../contracts/events.js'
import type { DayCount, StatsStore } from '../contracts/stats.js'
import { createLog } from '../lib/log.js'
import { createStats } from './create-stats.js'

const DAY_MS = 86_400_000
const CREATED: Events['secret.created'] = {
  secretId: 'x',
  ownerId: null,
  expiresAt: 0,
  kind: 'sealed',
  maxViews: 1,
  files: 0,
  hasPassword: false,
  hasAllowedIp: false,
  notify: false,
}
const OWNED = { secretId: 'x', ownerId: null, notify: false, createdAt: 0 }
const VIEWED: Events['secret.viewed'] = { ...OWNED, viewsLeft: 0, views: 1, recipient: null }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** `failures`: number of writes that fail. */
function counting(failures = 0, shared = new Map<string, DayCount>()) {
  const clock = { now: Date.UTC(2026, 0, 31, 12) }
  const log: string[] = []
  let left = failures
  const store: StatsStore = {
    add: vi.fn(async (counts) => {
      if (left-- > 0) throw new Error('away')
      for (const { day, name, count } of counts) {
        const key = `${day} ${name}`
        shared.set(key, { day, name, count: (shared.get(key)?.count ?? 0) + count })
      }
    }),
    listSince: vi.fn(async (from) => [...shared.values()].filter(({ day }) => day >= from)),
    deleteBefore: vi.fn(async () => {}),
  }
  const stats = createStats({
    key: Buffer.alloc(32),
    store,
    secrets: { countLive: async (most) => Math.min(most, 12_345) },
    log: createLog('debug', 'json', (line) => void log.push(line)),
    now: () => clock.now,
  })
  return { stats, store, clock, log, shared }
}

test('events are counted, and how secrets were created and ended', async () => {
  const { stats } = counting()
  await stats.on['secret.created']?.({ ...CREATED, files: 3, hasPassword: true })
  await stats.on['secret.created']?.({ ...CREATED, kind: 'public', hasAllowedIp: true })
  await stats.on['secret.viewed']?.({ ...VIEWED, viewsLeft: 1 })
  await stats.on['secret.viewed']?.({ ...VIEWED, views: 2 })
  await stats.on['secret.burned']?.({ ...OWNED, views: 1, reason: 'last-view' })
  await stats.on['secret.burned']?.({ ...OWNED, views: 0, reason: 'request' })
  await stats.on['secret.expired']?.({ ...OWNED, views: 0 })
  await stats.flush()
  const { total } = await stats.read()
  expect(total).toEqual({
    created: 2,
    opened: 1,
    viewed: 2,
    'used-up': 1,
    burned: 1,
    expired: 1,
    files: 3,
    'with-password': 1,
    'with-files': 1,
    'with-address': 1,
    public: 1,
  })
})

test('counts are written once per interval for any number of events', async () => {
  const { stats, store } = counting()
  for (let times = 0; times < 1000; times++) await stats.on['secret.viewed']?.({ ...VIEWED, views: 2 })
  expect(store.add).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5000)
  expect(store.add).toHaveBeenCalledExactlyOnceWith([{ day: '2026-01-31', name: 'viewed', count: 1000 }])
})

test('summary returns thirty days up to today, also empty ones', async () => {
  const { stats, clock } = counting()
  clock.now -= 30 * DAY_MS
  await stats.on['secret.created']?.(CREATED)
  clock.now += DAY_MS
  await stats.on['secret.created']?.(CREATED)
  clock.now += 29 * DAY_MS
  await stats.flush()
  const { days, total } = await stats.read()
  expect(days).toHaveLength(30)
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-01-02', '2026-01-31'])
  expect(days.map(({ counts }) => counts.created)).toEqual([1, ...Array(29).fill(0)])
  expect(total.created).toBe(1)
})

test('the median time to the first view is rounded to steps', async () => {
  const { stats, clock } = counting()
  const open = async (...ages: number[]) => {
    for (const age of ages) await stats.on['secret.viewed']?.({ ...VIEWED, createdAt: clock.now - age })
    await stats.flush()
    // As long as the summary is cached.
    clock.now += 10_000
    return (await stats.read()).medianWait
  }
  expect(await open()).toBe(null)
  expect(await open(60_000)).toBe(60)
  expect(await open(60_001, 300_000)).toBe(300)
  expect(await open(0)).toBe(60)
  expect(await open(9 * DAY_MS, 900 * DAY_MS, 900 * DAY_MS, 900 * DAY_MS, 900 * DAY_MS)).toBe(28 * 86_400)
  expect(await open(900 * DAY_MS, 900 * DAY_MS)).toBe(365 * 86_400)
})

test('live secrets are counted up to a maximum', async () => {
  expect((await counting().stats.read()).live).toBe(10_000)
})

test('counts of several processes add up', async () => {
  const shared = new Map<string, DayCount>()
  const [one, other] = [counting(0, shared), counting(0, shared)]
  await one.stats.on['secret.created']?.(CREATED)
  await other.stats.on['secret.created']?.(CREATED)
  await Promise.all([one.stats.flush(), other.stats.stop()])
  expect((await one.stats.read()).total.created).toBe(2)
})

test('counts wait while the store fails, are added once, and the failure is logged once', async () => {
  const { stats, log } = counting(2)
  await stats.on['secret.created']?.(CREATED)
  await stats.flush()
  await stats.on['secret.created']?.(CREATED)
  await stats.flush()
  expect(log.filter((line) => line.includes('not written'))).toHaveLength(1)
  await stats.flush()
  await stats.flush()
  expect(log.filter((line) => line.includes('written again'))).toEqual([expect.stringContaining('"failures":2')])
  expect((await stats.read()).total.created).toBe(2)
})

test('a failed deletion of old days does not count events twice', async () => {
  const { stats, store } = counting()
  vi.mocked(store.deleteBefore).mockRejectedValueOnce(new Error('away'))
  await stats.on['secret.created']?.(CREATED)
  await stats.flush()
  await stats.flush()
  expect((await stats.read()).total.created).toBe(1)
  expect(store.deleteBefore).toHaveBeenCalledTimes(2)
  expect(store.deleteBefore).toHaveBeenLastCalledWith('2025-12-02')
})

test('the summary is cached', async () => {
  const { stats, store, clock } = counting()
  await Promise.all([stats.read(), stats.read()])
  expect(store.listSince).toHaveBeenCalledTimes(1)
  clock.now += 10_000
  await stats.read()
  expect(store.listSince).toHaveBeenCalledTimes(2)
})

test('unknown counts of a newer version are left out', async () => {
  const { stats, shared } = counting()
  shared.set('x', { day: '2026-01-31', name: 'of-tomorrow', count: 7 })
  expect(Object.keys((await stats.read()).total)).not.toContain('of-tomorrow')
})
