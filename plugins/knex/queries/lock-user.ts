import type { Knex } from 'knex'
import { AppError } from '#core'

/**
 * Locks a user until the end of the transaction, by an update that changes nothing: other transactions that change data
 * of the user wait. Throws AppError `user.not_found`.
 */
export async function lockUser(tx: Knex.Transaction, id: string): Promise<void> {
  const updated = await tx('users')
    .where({ id })
    .update({ must_change_password: tx.ref('must_change_password') })
  if (updated === 0) throw new AppError('user.not_found')
}
