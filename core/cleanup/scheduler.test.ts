import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FileStore } from '../contracts/file-store.js'
import type { DeletedSecret, DeleteExpiredInput, Storage } from '../contracts/storage.js'
import { createLog } from '../lib/log.js'
import { aSecret } from '../testing/lib/fixtures.js'
import { startCleanup } from './scheduler.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Cleanup on a fake store, because a real one does not fail on demand. */
function startOn(batches: (DeletedSecret[] | Error)[], scrubs: (boolean | Error)[] = [], trusted = true) {
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
  const nextBatch = next<DeletedSecret[]>(batches, [])
  const deleteExpired = vi.fn(async ({ toEvents }: DeleteExpiredInput) => {
    const batch = await nextBatch()
    for (const { id, expired } of batch) if (expired) toEvents?.(aSecret({ id }))
    return batch
  })
  const scrub = vi.fn(next(scrubs, true))
  const listEnded = vi.fn(async () => [])
  const cleanup = startCleanup({
    storage: {
      secrets: { deleteExpired },
      scrub,
      instanceState: { set },
      leases: { acquire: async () => true },
      attachments: { listEnded, removeEndedCopies: async () => 0 },
    } as unknown as Storage,
    files: {} as FileStore,
    rows: [],
    recordExpired: async ({ id }) => void events.push(['secret.expired', id]),
    emit: async (...event) => void events.push(event),
    log: createLog('debug', 'json', (line) => void log.push(line)),
    clock: { now: () => 1, isTrusted: () => trusted },
    everyMs: 10_000,
  })
  return { cleanup, deleteExpired, scrub, listEnded, set, log, events }
}

const ended = (count: number, expired = true) => Array.from({ length: count }, (_, at) => ({ id: `é${at}`, expired }))

test('run deletes all batches and emits events for expired secrets only', async () => {
  const { cleanup, deleteExpired, events } = startOn([ended(100), ended(1000, false), ended(3)])
  expect(await cleanup.run()).toBe(1103)
  expect(deleteExpired).toHaveBeenCalledTimes(3)
  expect(events).toHaveLength(104)
  expect(events[0]).toEqual(['secret.expired', 'é0'])
  expect(events.at(-1)).toEqual(['cleanup.finished', { secrets: 1103, ms: expect.any(Number) }])
  await cleanup.stop()
})

test('the start of the cleanup schedules a scrub, and does not wait for it', async () => {
  const { cleanup, scrub } = startOn([], [false])
  expect(scrub).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  // The first one could not run because of other work.
  expect(scrub).toHaveBeenCalledTimes(2)
  await cleanup.stop()
})

test('a run schedules a scrub if it deletes secrets', async () => {
  const { cleanup, scrub } = startOn([ended(1)])
  await vi.advanceTimersByTimeAsync(1000)
  for (let run = 0; run < 2; run++) {
    await cleanup.run()
    await vi.advanceTimersByTimeAsync(1000)
    expect(scrub).toHaveBeenCalledTimes(2)
  }
  await cleanup.stop()
})

test('deletes in quick succession share one scrub', async () => {
  const { cleanup, scrub } = startOn([])
  for (let n = 0; n < 5; n++) cleanup.scrubSoon()
  await vi.advanceTimersByTimeAsync(1000)
  expect(scrub).toHaveBeenCalledTimes(1)
  await cleanup.stop()
})

test('a postponed scrub is retried', async () => {
  const { cleanup, scrub } = startOn([], [false, false, true])
  cleanup.scrubSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scrub).toHaveBeenCalledTimes(3)
  await cleanup.stop()
})

test('an outage is logged once, and its end with the number of failures', async () => {
  const failures = Array.from({ length: 3 }, () => new Error('hunter2'))
  const { cleanup, log } = startOn([...failures, ended(0), ended(0)])
  await vi.advanceTimersByTimeAsync(50_500)
  expect(log.filter((line) => line.includes('cleanup failed'))).toHaveLength(1)
  const recovered = log.filter((line) => line.includes('cleanup works again'))
  expect(recovered).toEqual([expect.stringContaining('"failures":3')])
  await cleanup.stop()
})

test('a failure is logged without its message, and the next run works', async () => {
  const { cleanup, deleteExpired, log } = startOn([new Error('hunter2'), ended(1)], [new Error('hunter2')])
  await vi.advanceTimersByTimeAsync(30_500)
  expect(deleteExpired).toHaveBeenCalledTimes(3)
  expect(log.filter((line) => line.includes('cleanup failed'))).toHaveLength(1)
  expect(log.filter((line) => line.includes('scrub failed'))).toHaveLength(1)
  expect(log.join()).not.toContain('hunter2')
  await cleanup.stop()
})

test('stop runs the pending scrub, and nothing runs afterwards', async () => {
  const { cleanup, deleteExpired, scrub } = startOn([])
  cleanup.scrubSoon()
  await cleanup.stop()
  expect(scrub).toHaveBeenCalledTimes(1)
  cleanup.scrubSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scrub).toHaveBeenCalledTimes(1)
  expect(deleteExpired).not.toHaveBeenCalled()
})

test('one of two processes cleans up, and the other takes over when it stops', async () => {
  const lease = { holder: '', until: 0 }
  const clock = { now: 1 }
  const start = () => {
    const deleteExpired = vi.fn(async () => [])
    const acquire: Storage['leases']['acquire'] = async ({ holder, until, now }) => {
      if (lease.holder !== holder && lease.until > now) return false
      Object.assign(lease, { holder, until })
      return true
    }
    const storage = {
      secrets: { deleteExpired },
      instanceState: { set: async () => {} },
      leases: { acquire },
    } as unknown as Storage
    const log = createLog('debug', 'json', () => {})
    const cleanup = startCleanup({
      storage,
      log,
      files: null,
      rows: [],
      everyMs: 10_000,
      emit: async () => {},
      recordExpired: async () => {},
      clock: { now: () => clock.now, isTrusted: () => true },
    })
    return { deleteExpired, cleanup }
  }
  const [one, two] = [start(), start()]
  await vi.advanceTimersByTimeAsync(50_000)
  expect(one.deleteExpired).toHaveBeenCalledTimes(5)
  expect(two.deleteExpired).toHaveBeenCalledTimes(0)
  await one.cleanup.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(two.deleteExpired).toHaveBeenCalledTimes(2)
  // A process that is killed keeps the lease for up to a minute.
  const three = start()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(three.deleteExpired).toHaveBeenCalledTimes(0)
  clock.now += 60_000
  await vi.advanceTimersByTimeAsync(10_000)
  expect(two.deleteExpired.mock.calls.length + three.deleteExpired.mock.calls.length).toBe(4)
  await Promise.all([two.cleanup.stop(), three.cleanup.stop()])
})

test('REL-09: nothing is deleted and no time is saved while the clock is not trusted', async () => {
  const doubtful = startOn([ended(3)], [], false)
  doubtful.cleanup.deleteFilesSoon()
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  expect(doubtful.deleteExpired).not.toHaveBeenCalled()
  expect(doubtful.listEnded).not.toHaveBeenCalled()
  expect(doubtful.set).not.toHaveBeenCalled()
  await doubtful.cleanup.stop()
  const sound = startOn([ended(3)])
  sound.cleanup.deleteFilesSoon()
  await vi.advanceTimersByTimeAsync(1000)
  expect(sound.listEnded).toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(sound.deleteExpired).toHaveBeenCalled()
  expect(sound.set).toHaveBeenCalledExactlyOnceWith('clock', '1')
  await sound.cleanup.stop()
})
