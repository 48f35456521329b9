import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Storage, SweptSecret } from '../contracts/storage.js'
import { createLog } from '../lib/log.js'
import { startSweeper } from './scheduler.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A sweeper on a store that does as it is told: the faults here are those that a real one does not show on demand. */
function sweeping(batches: (SweptSecret[] | Error)[], scrubs: (boolean | Error)[] = [], trusted = true) {
  const log: string[] = []
  const events: unknown[] = []
  const next =
    <T>(list: (T | Error)[], otherwise: T) =>
    async () => {
      const value = list.length > 0 ? (list.shift() as T | Error) : otherwise
      if (value instanceof Error) throw value
      return value
    }
  const set = vi.fn(async () => {})
  const sweep = vi.fn(next<SweptSecret[]>(batches, []))
  const scrub = vi.fn(next(scrubs, true))
  const sweeper = startSweeper({
    storage: {
      secrets: { sweep },
      scrub,
      instanceState: { set },
      leases: { take: async () => true },
    } as unknown as Storage,
    files: null,
    rows: [],
    recordExpired: async (id) => void events.push(['secret:burned', { id, reason: 'expired' }]),
    emit: async (...event) => void events.push(event),
    log: createLog('debug', 'json', (line) => void log.push(line)),
    clock: { now: () => 1, isTrusted: () => trusted },
    everyMs: 10_000,
  })
  return { sweeper, sweep, scrub, set, log, events }
}

const ended = (count: number, expired = true) => Array.from({ length: count }, (_, at) => ({ id: `é${at}`, expired }))

test('sweeps until nothing is left, tells what expired and nothing of what was used up', async () => {
  const { sweeper, sweep, events } = sweeping([ended(100), ended(100, false), ended(3)])
  expect(await sweeper.sweep()).toBe(203)
  expect(sweep).toHaveBeenCalledTimes(3)
  expect(events).toHaveLength(104)
  expect(events[0]).toEqual(['secret:burned', { id: 'é0', reason: 'expired' }])
  expect(events.at(-1)).toEqual(['sweep:finished', { secrets: 203, ms: expect.any(Number) }])
  await sweeper.stop()
})

test('scrubs once for deletes that come close together', async () => {
  const { sweeper, scrub } = sweeping([])
  for (let n = 0; n < 5; n++) sweeper.scrubSoon()
  await vi.advanceTimersByTimeAsync(1000)
  expect(scrub).toHaveBeenCalledTimes(1)
  await sweeper.stop()
})

test('a scrub that was put off comes again', async () => {
  const { sweeper, scrub } = sweeping([], [false, false, true])
  sweeper.scrubSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scrub).toHaveBeenCalledTimes(3)
  await sweeper.stop()
})

test('a failure is logged without its words, and the next round works', async () => {
  const { sweeper, sweep, log } = sweeping([new Error('hunter2'), ended(1)], [new Error('hunter2')])
  await vi.advanceTimersByTimeAsync(30_500)
  expect(sweep).toHaveBeenCalledTimes(3)
  expect(log.filter((line) => line.includes('sweep failed'))).toHaveLength(1)
  expect(log.filter((line) => line.includes('scrub failed'))).toHaveLength(1)
  expect(log.join()).not.toContain('hunter2')
  await sweeper.stop()
})

test('stopping does the scrub that is still to come, and nothing after it', async () => {
  const { sweeper, sweep, scrub } = sweeping([])
  sweeper.scrubSoon()
  await sweeper.stop()
  expect(scrub).toHaveBeenCalledTimes(1)
  sweeper.scrubSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scrub).toHaveBeenCalledTimes(1)
  expect(sweep).not.toHaveBeenCalled()
})

test('of two one tidies up, and the other one takes over when it stops', async () => {
  const lease = { holder: '', until: 0 }
  const clock = { now: 1 }
  const start = () => {
    const sweep = vi.fn(async () => [])
    const take = async (_: string, holder: string, until: number, now: number) => {
      if (lease.holder !== holder && lease.until > now) return false
      Object.assign(lease, { holder, until })
      return true
    }
    const storage = {
      secrets: { sweep },
      instanceState: { set: async () => {} },
      leases: { take },
    } as unknown as Storage
    const log = createLog('debug', 'json', () => {})
    const sweeper = startSweeper({
      ...{ storage, log, files: null, rows: [], everyMs: 10_000 },
      ...{ emit: async () => {}, recordExpired: async () => {} },
      clock: { now: () => clock.now, isTrusted: () => true },
    })
    return { sweep, sweeper }
  }
  const [one, two] = [start(), start()]
  await vi.advanceTimersByTimeAsync(50_000)
  expect(one.sweep).toHaveBeenCalledTimes(5)
  expect(two.sweep).toHaveBeenCalledTimes(0)
  await one.sweeper.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(two.sweep).toHaveBeenCalledTimes(2)
  // One that dies without a word keeps the lease for a minute at most.
  const three = start()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(three.sweep).toHaveBeenCalledTimes(0)
  clock.now += 60_000
  await vi.advanceTimersByTimeAsync(10_000)
  expect(two.sweep.mock.calls.length + three.sweep.mock.calls.length).toBe(4)
  await Promise.all([two.sweeper.stop(), three.sweeper.stop()])
})

test('while the clock is not trusted nothing is swept and no time is noted', async () => {
  const doubtful = sweeping([ended(3)], [], false)
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  expect(doubtful.sweep).not.toHaveBeenCalled()
  expect(doubtful.set).not.toHaveBeenCalled()
  await doubtful.sweeper.stop()
  const sound = sweeping([ended(3)])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sound.sweep).toHaveBeenCalled()
  expect(sound.set).toHaveBeenCalledExactlyOnceWith('clock', '1')
  await sound.sweeper.stop()
})
