import { type LimitStore, takeFrom } from '#core'
import { deleteMatching, type Tables } from './tables.js'

/** Counters of the rate limits. Synchronous, and therefore atomic: see index.ts. */
export function createRateLimitStore({ counters }: Tables): LimitStore {
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
    sweep: async (now, limit) => deleteMatching(counters, ({ endsAt }) => endsAt <= now, limit),
  }
}
