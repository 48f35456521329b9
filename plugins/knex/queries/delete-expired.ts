import type { Knex } from 'knex'
import { TABLES, type TableName } from '#migrations'

/**
 * Deletes up to `limit` rows of a table with one key column that have expired at `now`, oldest first; returns how many.
 * Selects first, because no form of `delete ... limit` runs on every engine.
 */
export async function deleteExpired(db: Knex, table: TableName, now: number, limit: number): Promise<number> {
  const { key = [], expires = '' } = TABLES[table] ?? {}
  const [id = ''] = key
  const expired = db(table).where(expires, '<=', now)
  const ids: string[] = await expired.clone().orderBy(expires).limit(limit).pluck(id)
  // A row may have been replaced by a row that has not expired.
  return ids.length === 0 ? 0 : expired.clone().whereIn(id, ids).delete()
}
