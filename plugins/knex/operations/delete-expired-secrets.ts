import type { Knex } from 'knex'
import { type DeletedSecret, isUsedUp, type SecretMeta } from '#core'
import { assertAllChanged, lockSecrets } from '../queries/lock-secrets.js'
import { matchesClaims, openClaims } from '../queries/secret-conditions.js'

/** `SecretStore.deleteExpired`. Selects first, because no form of `delete ... limit` runs on every engine. */
export async function deleteExpiredSecrets(db: Knex, now: number, limit: number): Promise<DeletedSecret[]> {
  const due: string[] = await db('secrets')
    .where('sweep_at', '<=', now)
    .where((either) => either.where('expires_at', '<=', now).orWhereNotExists(openClaims(db, now)))
    .orderBy('sweep_at')
    .limit(limit)
    .pluck('id')
  const selectExpired = (table: string) => db(table).where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
  const claims = await selectExpired('claims').select({ id: 'secret_id', claimHash: 'claim_hash' })
  const keyHashes: string[] = await selectExpired('replays').pluck('key_hash')
  if (due.length + claims.length + keyHashes.length === 0) return []
  return db.transaction(async (tx) => {
    // Another process may have deleted them, and an id may have been reused: check again under the lock.
    const locked = await lockSecrets(tx, due)
    const secrets = tx('secrets')
      .whereIn('id', [...locked.keys()])
      .where('sweep_at', '<=', now)
    const ids: string[] = await secrets.clone().pluck('id')
    assertAllChanged(await secrets.delete(), ids)
    const expired = (table: string) => tx(table).where('expires_at', '<=', now)
    if (claims.length > 0) await expired('claims').where(matchesClaims(claims)).delete()
    if (keyHashes.length > 0) await expired('replays').whereIn('key_hash', keyHashes).delete()
    return ids.map((id) => ({ id, expired: !isUsedUp(locked.get(id) as SecretMeta) }))
  })
}
