/** Rate-limit counters in the memory of this process, bounded by the capacity of the cache. */
import type { LRUCache } from 'lru-cache'
import type { LimitStore } from '../contracts/limits.js'
import { type Counter, consumeFrom } from './fixed-window.js'

export function createLocalCounters(counters: LRUCache<string, Counter>): Pick<LimitStore, 'consume' | 'reset'> {
  return {
    consume: async (requests, now) =>
      requests.map((request) => {
        const { result, after } = consumeFrom(counters.get(request.name), request, now)
        if (after) counters.set(request.name, after)
        return result
      }),
    async reset(names) {
      for (const name of names) counters.delete(name)
    },
  }
}
