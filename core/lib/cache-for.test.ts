import { expect, test, vi } from 'vitest'
import { cacheFor } from './cache-for.js'

/** A cache for 1000 ms of a number that grows with each load. */
function numberCache() {
  const clock = { now: 5000 }
  let loads = 0
  const load = vi.fn(async () => ++loads)
  return { clock, load, cache: cacheFor(1000, { load, now: () => clock.now }) }
}

test('concurrent callers share one load, and the value lasts for the given time', async () => {
  const { clock, load, cache } = numberCache()
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1])
  clock.now += 999
  expect(await cache.get()).toBe(1)
  clock.now += 1
  expect(await cache.get()).toBe(2)
  expect(load.mock.calls).toEqual([[5000], [6000]])
})

test('clear loads again, also while a load is running', async () => {
  const { cache } = numberCache()
  const first = cache.get()
  cache.clear()
  expect([await first, await cache.get(), await cache.get()]).toEqual([1, 2, 2])
})

test('a failed load is not cached', async () => {
  const { load, cache } = numberCache()
  load.mockRejectedValueOnce(new Error('down'))
  await expect(cache.get()).rejects.toThrow('down')
  expect(await cache.get()).toBe(1)
})

test('a value from the future is loaded again after the clock was set back', async () => {
  const { clock, cache } = numberCache()
  await cache.get()
  clock.now -= 1
  expect(await cache.get()).toBe(2)
})
