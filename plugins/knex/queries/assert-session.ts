import type { Knex } from 'knex'
import { AppError } from '#core'

/**
 * Throws AppError `auth.required` if a session of a user was ended; null: no session. Call it after `lockUser`: then it
 * also finds sessions that another transaction with a lock of the user has ended.
 */
export async function assertSessionExists(tx: Knex.Transaction, userId: string, id: string | null): Promise<void> {
  if (id !== null && !(await tx('sessions').where({ id, user_id: userId }).first('id')))
    throw new AppError('auth.required')
}
