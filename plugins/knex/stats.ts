import type { Knex } from 'knex'
import type { StatsStore } from '#core'

export function statsStore(db: Knex): StatsStore {
  return {
    async add(counts) {
      if (counts.length === 0) return
      await db.transaction(async (tx) => {
        // In one order everywhere, so that two processes never wait for each other's rows.
        for (const { day, name, count } of [...counts].sort(inOrder)) {
          const more = { amount: tx.raw('?? + ?', ['stats.amount', count]) }
          await tx('stats').insert({ day, name, amount: count }).onConflict(['day', 'name']).merge(more)
        }
      })
    },
    async since(day) {
      const rows = await db('stats').where('day', '>=', day).select('day', 'name', 'amount')
      return rows.map(({ day, name, amount }) => ({ day, name, count: Number(amount) }))
    },
    async forget(before) {
      await db('stats').where('day', '<', before).delete()
    },
  }
}

function inOrder(one: { day: string; name: string }, other: { day: string; name: string }): number {
  const [a, b] = [`${one.day} ${one.name}`, `${other.day} ${other.name}`]
  return a < b ? -1 : a > b ? 1 : 0
}
