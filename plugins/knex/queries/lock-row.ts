import type { Knex } from 'knex'

/** Rows of `leases` that are not leases: they exist only to be locked. */
type LockName = 'roles' | 'new-events'

/** Locks a row until the end of the transaction. Must be its first statement: a write locks the row on every engine. */
export async function lockRow(tx: Knex.Transaction, name: LockName): Promise<void> {
  const updateRow = () => tx('leases').where({ name }).update({ ends_at: 0 })
  if ((await updateRow()) === 1) return
  await tx('leases').insert({ name, holder: '', ends_at: 0 }).onConflict('name').ignore()
  await updateRow()
}
