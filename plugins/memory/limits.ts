/** Counters of limits in one process: see index.ts. */
import { type Counter, type LimitStore, takeFrom } from '#core'

export function memoryLimits(counters: Map<string, Counter>): LimitStore {
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
    async sweep(now, limit) {
      const ended = [...counters].filter(([, { endsAt }]) => endsAt <= now).slice(0, limit)
      for (const [name] of ended) counters.delete(name)
      return ended.length
    },
  }
}
