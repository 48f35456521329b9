import { consumeFrom, type LimitStore } from '#core'
import { deleteMatching, type Tables } from './tables.js'

/** Counters of the rate limits. Synchronous, and therefore atomic: see index.ts. */
export function createRateLimitStore({ counters }: Tables): LimitStore {
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
    deleteExpired: async (now, limit) => deleteMatching(counters, ({ endsAt }) => endsAt <= now, limit),
  }
}
