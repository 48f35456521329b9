import type { Knex } from 'knex'
import type { SettingsStore } from '#core'

export function settingsStore(db: Knex): SettingsStore {
  return {
    async all() {
      const rows = await db('settings').select('name', 'value')
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    async set(values) {
      const rows = Object.entries(values).map(([name, value]) => ({ name, value }))
      if (rows.length > 0) await db('settings').insert(rows).onConflict('name').merge()
    },
  }
}
