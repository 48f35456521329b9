import type { Knex } from 'knex'
import type { SettingsStore } from '#core'

type Values = Parameters<SettingsStore['set']>[0]

export function createSettingsStore(db: Knex): SettingsStore {
  return {
    async getAll() {
      const rows = await db('settings').select('name', 'value')
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    async set(values) {
      await db.transaction((tx) => writeValues(tx, values))
    },
    async setIf({ name, value }, values) {
      return db.transaction(async (tx) => {
        // Creates the row that the update locks.
        if (value === null) await tx('settings').insert({ name, value: '' }).onConflict('name').ignore()
        const found = await tx('settings')
          .where({ name, value: value ?? '' })
          .update({ value: values[name] })
        if (found > 0) await writeValues(tx, values)
        return found > 0
      })
    },
  }
}

async function writeValues(tx: Knex.Transaction, values: Values): Promise<void> {
  const rows = Object.entries(values).map(([name, value]) => ({ name, value }))
  const changed = rows.filter(({ value }) => value !== null)
  const removed = rows.filter(({ value }) => value === null)
  if (changed.length > 0) await tx('settings').insert(changed).onConflict('name').merge()
  for (const { name } of removed) await tx('settings').where({ name }).delete()
}
