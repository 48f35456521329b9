import type { DayCount, StatsStore } from '#core'

export function createStatsStore(): StatsStore {
  const counts = new Map<string, DayCount>()
  return {
    async add(added) {
      for (const { day, name, count } of added) {
        const key = `${day} ${name}`
        counts.set(key, { day, name, count: (counts.get(key)?.count ?? 0) + count })
      }
    },
    listSince: async (from) => [...counts.values()].filter(({ day }) => day >= from).map((count) => ({ ...count })),
    async deleteBefore(before) {
      for (const [key, { day }] of counts) if (day < before) counts.delete(key)
    },
  }
}
