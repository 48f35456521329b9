import type { Knex } from 'knex'
import type { LeaseStore } from '#core'

export function createLeaseStore(db: Knex): LeaseStore {
  return {
    async acquire({ name, holder, until, now }) {
      const available = db('leases')
        .where({ name })
        .where((either) => either.where({ holder }).orWhere('ends_at', '<=', now))
      const taken = await available.clone().update({ holder, ends_at: until })
      if (taken === 1) return true
      // Either the lease does not have a row yet, or another process holds it.
      await db('leases').insert({ name, holder: '', ends_at: 0 }).onConflict('name').ignore()
      return (await available.update({ holder, ends_at: until })) === 1
    },
  }
}
