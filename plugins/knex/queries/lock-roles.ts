/** Keeps at least one administrator. Role changes run one at a time; other writes run in parallel. */
import type { Knex } from 'knex'
import { AppError } from '#core'
import { lockRow } from './lock-row.js'

/** Locks all roles until the end of the transaction. Must be its first statement. */
export const lockRoles = (tx: Knex.Transaction): Promise<void> => lockRow(tx, 'roles')

export async function hasAdmin(db: Knex): Promise<boolean> {
  return (await db('users').where({ role: 'admin' }).first('id')) !== undefined
}

/**
 * Call it after `lockRoles`. Throws AppError `user.last_admin` when this user is the only administrator who is not
 * suspended.
 */
export async function assertNotLastAdmin(tx: Knex.Transaction, id: string): Promise<void> {
  const admins: string[] = await tx('users').where({ role: 'admin' }).whereNull('suspended_at').limit(2).pluck('id')
  if (admins.length === 1 && admins[0] === id) throw new AppError('user.last_admin')
}
