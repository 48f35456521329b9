import type { Knex } from 'knex'

/**
 * Deletes up to `limit` expired rows, oldest first; returns how many. Selects first, because no form of `delete ... limit`
 * runs on every engine.
 */
export async function deleteExpired(db: Knex, table: string, now: number, limit: number): Promise<number> {
  const expired = db(table).where('expires_at', '<=', now)
  const ids: string[] = await expired.clone().orderBy('expires_at').limit(limit).pluck('id')
  return ids.length === 0 ? 0 : expired.clone().whereIn('id', ids).delete()
}
