/** What the stores of things that belong to a user have in common. */
import type { Knex } from 'knex'
import { AppError } from '#core'

/**
 * Locks a user until the end of the transaction, by a write that changes nothing: whoever else changes what they have
 * comes after. Throws AppError `user.not_found`.
 */
export async function lockUser(tx: Knex.Transaction, id: string): Promise<void> {
  const touched = await tx('users')
    .where({ id })
    .update({ generated: tx.ref('generated') })
  if (touched === 0) throw new AppError('user.not_found')
}

/** Deletes up to `limit` rows whose time is over; answers how many. Nothing that deletes up to a limit runs on every engine. */
export async function sweepEnded(db: Knex, table: string, now: number, limit: number): Promise<number> {
  const ended = db(table).where('expires_at', '<=', now)
  const ids: string[] = await ended.clone().orderBy('expires_at').limit(limit).pluck('id')
  return ids.length === 0 ? 0 : ended.clone().whereIn('id', ids).delete()
}
