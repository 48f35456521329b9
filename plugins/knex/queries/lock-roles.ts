/** Keeps at least one administrator. Role changes run one at a time; other writes run in parallel. */
import type { Knex } from 'knex'
import { AppError } from '#core'

/** A row of `leases` that no process takes as a lease: it exists to be locked. */
const ROW = { name: 'roles' }

/** Locks all roles until the end of the transaction. Must be its first statement: a write locks the row on every engine. */
export async function lockRoles(tx: Knex.Transaction): Promise<void> {
  const updateRow = () => tx('leases').where(ROW).update({ ends_at: 0 })
  if ((await updateRow()) === 1) return
  await tx('leases')
    .insert({ ...ROW, holder: '', ends_at: 0 })
    .onConflict('name')
    .ignore()
  await updateRow()
}

export async function hasAdmin(db: Knex): Promise<boolean> {
  return (await db('users').where({ role: 'admin' }).first('id')) !== undefined
}

/** Call it after `lockRoles`. Throws AppError `user.last_admin` when this user is the only administrator. */
export async function assertNotLastAdmin(tx: Knex.Transaction, id: string): Promise<void> {
  const admins: string[] = await tx('users').where({ role: 'admin' }).limit(2).pluck('id')
  if (admins.length === 1 && admins[0] === id) throw new AppError('user.last_admin')
}
