import type { Knex } from 'knex'
import type { LeaseStore } from '#core'

export function leaseStore(db: Knex): LeaseStore {
  return {
    async take(name, holder, until, now) {
      const mine = db('leases')
        .where({ name })
        .where((free) => free.where({ holder }).orWhere('ends_at', '<=', now))
      const taken = await mine.clone().update({ holder, ends_at: until })
      if (taken === 1) return true
      // Nobody has ever held it, or somebody holds it now.
      await db('leases').insert({ name, holder: '', ends_at: 0 }).onConflict('name').ignore()
      return (await mine.update({ holder, ends_at: until })) === 1
    },
  }
}
