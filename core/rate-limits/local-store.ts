/** Rate-limit counters in the memory of this process. */
import { LRUCache } from 'lru-cache'
import type { Counters } from '../contracts/limits.js'
import { type Counter, consumeFrom } from './fixed-window.js'

/** Capacity, so that memory is bounded for any number of addresses. */
const COUNTERS_MAX = 50_000

export function createLocalCounters(): Counters {
  /** Null until the first request, because a cache allocates memory for its capacity. */
  let counters: LRUCache<string, Counter> | null = null
  return {
    async consume(requests, now) {
      counters ??= new LRUCache({ max: COUNTERS_MAX })
      const known = counters
      return requests.map((request) => {
        const { result, after } = consumeFrom(known.get(request.name), request, now)
        if (after) known.set(request.name, after)
        return result
      })
    },
    async reset(names) {
      for (const name of names) counters?.delete(name)
    },
  }
}
