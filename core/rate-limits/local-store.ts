/** Rate-limit counters in the memory of this process, bounded by the capacity of the cache. */
import type { LRUCache } from 'lru-cache'
import type { Counters } from '../contracts/limits.js'
import { lazy } from '../lib/lazy.js'
import { type Counter, consumeFrom } from './fixed-window.js'

/** `createCache` runs at the first request, because a cache allocates memory for its capacity. */
export function createLocalCounters(createCache: () => LRUCache<string, Counter>): Counters {
  const getCounters = lazy(createCache)
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
