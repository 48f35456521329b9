/** What keeps one administrator there. Changes of roles come one by one; everything else goes on beside them. */
import type { Knex } from 'knex'
import { AppError } from '#core'

/** A lease that nobody takes: its row is there to be locked. */
const ROW = { name: 'roles' }

/** Locks all roles until the end of the transaction. Its first statement, and a write, whose lock every engine knows. */
export async function lockRoles(tx: Knex.Transaction): Promise<void> {
  const touch = () => tx('leases').where(ROW).update({ ends_at: 0 })
  if ((await touch()) === 1) return
  await tx('leases')
    .insert({ ...ROW, holder: '', ends_at: 0 })
    .onConflict('name')
    .ignore()
  await touch()
}

export async function hasAdmin(db: Knex): Promise<boolean> {
  return (await db('users').where({ role: 'admin' }).first('id')) !== undefined
}

/** Under `lockRoles`. Throws AppError `user.last_admin` when there is no administrator but this one. */
export async function keepAnAdmin(tx: Knex.Transaction, id: string): Promise<void> {
  const admins: string[] = await tx('users').where({ role: 'admin' }).limit(2).pluck('id')
  if (admins.length === 1 && admins[0] === id) throw new AppError('user.last_admin')
}
