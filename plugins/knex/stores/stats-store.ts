import type { Knex } from 'knex'
import type { StatsStore } from '#core'

export function createStatsStore(db: Knex): StatsStore {
  return {
    async add(counts) {
      if (counts.length === 0) return
      await db.transaction(async (tx) => {
        // Every process uses the same order, so their transactions cannot deadlock.
        for (const { day, name, count } of [...counts].sort(compareKeys)) {
          const increment = { amount: tx.raw('?? + ?', ['stats.amount', count]) }
          await tx('stats').insert({ day, name, amount: count }).onConflict(['day', 'name']).merge(increment)
        }
      })
    },
    async listSince(day) {
      const rows = await db('stats').where('day', '>=', day).select('day', 'name', 'amount')
      return rows.map(({ day, name, amount }) => ({ day, name, count: Number(amount) }))
    },
    async deleteBefore(before) {
      await db('stats').where('day', '<', before).delete()
    },
  }
}

function compareKeys(one: { day: string; name: string }, other: { day: string; name: string }): number {
  const [a, b] = [`${one.day} ${one.name}`, `${other.day} ${other.name}`]
  return a < b ? -1 : a > b ? 1 : 0
}
