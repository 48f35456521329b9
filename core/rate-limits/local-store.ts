/** Rate-limit counters in the memory of this process. */
import { LRUCache } from 'lru-cache'
import type { Counters } from '../contracts/limits.js'
import { lazy } from '../lib/lazy.js'
import { type Counter, consumeFrom } from './fixed-window.js'

/** Capacity, so that memory is bounded for any number of addresses. */
const COUNTERS_MAX = 50_000

/** The cache is made at the first request, because it allocates memory for its capacity. */
export function createLocalCounters(): Counters {
  const getCounters = lazy(() => new LRUCache<string, Counter>({ max: COUNTERS_MAX }))
  return {
    consume: async (requests, now) =>
      requests.map((request) => {
        const { result, after } = consumeFrom(getCounters().get(request.name), request, now)
        if (after) getCounters().set(request.name, after)
        return result
      }),
    async reset(names) {
      for (const name of names) getCounters().delete(name)
    },
  }
}
