import type { Knex } from 'knex'
import type { SecretMeta, SweptSecret } from '#core'
import { areClaims, isUsedUp, openClaims } from './conditions.js'
import { expectChanged, lock } from './locks.js'

/** `SecretStore.sweep`. Nothing that deletes up to a limit runs on every engine, so that it is found first. */
export async function sweep(db: Knex, now: number, limit: number): Promise<SweptSecret[]> {
  const due: string[] = await db('secrets')
    .where('sweep_at', '<=', now)
    .where((either) => either.where('expires_at', '<=', now).orWhereNotExists(openClaims(db, now)))
    .orderBy('sweep_at')
    .limit(limit)
    .pluck('id')
  const ended = (table: string) => db(table).where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
  const claims = await ended('claims').select({ id: 'secret_id', claimHash: 'claim_hash' })
  const replays: string[] = await ended('replays').pluck('key_hash')
  if (due.length + claims.length + replays.length === 0) return []
  return db.transaction(async (tx) => {
    // Others sweep too, and an id may have been used anew: only who has the lock can tell.
    const locked = await lock(tx, due)
    const secrets = tx('secrets')
      .whereIn('id', [...locked.keys()])
      .where('sweep_at', '<=', now)
    const ids: string[] = await secrets.clone().pluck('id')
    expectChanged(await secrets.delete(), ids)
    const ending = (table: string) => tx(table).where('expires_at', '<=', now)
    if (claims.length > 0) await ending('claims').where(areClaims(claims)).delete()
    if (replays.length > 0) await ending('replays').whereIn('key_hash', replays).delete()
    return ids.map((id) => ({ id, expired: !isUsedUp(locked.get(id) as SecretMeta) }))
  })
}
