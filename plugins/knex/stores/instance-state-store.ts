import type { Knex } from 'knex'
import type { InstanceStateStore } from '#core'

export function createInstanceStateStore(db: Knex): InstanceStateStore {
  return {
    async get(name) {
      const row = await db('instance_state').where({ name }).first('value')
      return row?.value ?? null
    },
    async set(name, value) {
      await db('instance_state').insert({ name, value }).onConflict('name').merge()
    },
    async delete(name) {
      await db('instance_state').where({ name }).delete()
    },
  }
}
