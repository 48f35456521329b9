/** Counters of this process alone, in bounded memory: for when those that all share do not answer. */
import type { LimitStore } from '../contracts/limits.js'
import type { BoundedMap } from './bounded-map.js'
import { type Counter, takeFrom } from './take-from.js'

export function localLimits(counters: BoundedMap<Counter>): Pick<LimitStore, 'take' | 'reset'> {
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
