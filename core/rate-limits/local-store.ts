/** Rate-limit counters in the memory of this process, bounded by the capacity of the cache. */
import type { LRUCache } from 'lru-cache'
import type { LimitStore } from '../contracts/limits.js'
import { type Counter, takeFrom } from './fixed-window.js'

export function createLocalCounters(counters: LRUCache<string, Counter>): Pick<LimitStore, 'take' | 'reset'> {
  return {
    take: async (takes, now) =>
      takes.map((take) => {
        const { taken, after } = takeFrom(counters.get(take.name), take, now)
        if (after) counters.set(take.name, after)
        return taken
      }),
    async reset(names) {
      for (const name of names) counters.delete(name)
    },
  }
}
