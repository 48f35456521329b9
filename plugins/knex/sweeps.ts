import type { Knex } from 'knex'
import type { SecretStore, SweptSecret } from '#core'
import { isUsedUp, openClaims } from './conditions.js'
import { toSecretMeta } from './rows.js'

export function sweeps(db: Knex): Pick<SecretStore, 'sweep'> {
  return {
    async sweep(now, limit) {
      const due = await db('secrets')
        .where('sweep_at', '<=', now)
        .where((either) => either.where('expires_at', '<=', now).orWhereNotExists(openClaims(db, now)))
        .orderBy('sweep_at')
        .limit(limit)
      const ended = (table: string) => db(table).where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
      const claims = await ended('claims').select('secret_id', 'claim_hash')
      const replays = await ended('replays').select('key_hash')
      if (due.length + claims.length + replays.length === 0) return []
      // One by one, because no statement that deletes up to a limit, or answers what it deleted, runs on every engine.
      return db.transaction(async (tx) => {
        const swept: SweptSecret[] = []
        for (const secret of due.map(toSecretMeta)) {
          const deleted = await tx('secrets').where({ id: secret.id }).where('sweep_at', '<=', now).delete()
          if (deleted === 1) swept.push({ id: secret.id, expired: !isUsedUp(secret) })
        }
        for (const key of claims) await tx('claims').where(key).where('expires_at', '<=', now).delete()
        for (const key of replays) await tx('replays').where(key).where('expires_at', '<=', now).delete()
        return swept
      })
    },
  }
}
