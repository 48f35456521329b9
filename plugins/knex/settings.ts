import type { Knex } from 'knex'
import type { SettingsStore } from '#core'

export function settingsStore(db: Knex): SettingsStore {
  return {
    async all() {
      const rows = await db('settings').select('name', 'value')
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    async set(values) {
      const all = Object.entries(values).map(([name, value]) => ({ name, value }))
      const [kept, forgotten] = [all.filter(({ value }) => value !== null), all.filter(({ value }) => value === null)]
      await db.transaction(async (tx) => {
        if (kept.length > 0) await tx('settings').insert(kept).onConflict('name').merge()
        for (const { name } of forgotten) await tx('settings').where({ name }).delete()
      })
    },
  }
}
