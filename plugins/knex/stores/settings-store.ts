import type { Knex } from 'knex'
import type { SettingsStore } from '#core'

export function createSettingsStore(db: Knex): SettingsStore {
  return {
    async getAll() {
      const rows = await db('settings').select('name', 'value')
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    async set(values) {
      const rows = Object.entries(values).map(([name, value]) => ({ name, value }))
      const changed = rows.filter(({ value }) => value !== null)
      const removed = rows.filter(({ value }) => value === null)
      await db.transaction(async (tx) => {
        if (changed.length > 0) await tx('settings').insert(changed).onConflict('name').merge()
        for (const { name } of removed) await tx('settings').where({ name }).delete()
      })
    },
  }
}
