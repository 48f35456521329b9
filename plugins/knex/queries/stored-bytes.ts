/**
 * Counter of the bytes of all files, so that uploads do not have to sum them up. It is a row of `rate_limits` that
 * never ends. A missing row is computed when it is needed: it is missing on a new database.
 */
import type { Knex } from 'knex'

/** Not hexadecimal like the names of uploaders. */
const NAME = 'storedbytes'
const NEVER = Number.MAX_SAFE_INTEGER

/** Reads the counter, without a lock. */
export async function readStoredBytes(db: Knex): Promise<number> {
  const row = await db('rate_limits').where({ name: NAME, ends_at: NEVER }).first('used')
  return row ? Number(row.used) : sumSizes(db)
}

/** Locks the counter until the end of the transaction, and returns it. Call before any read that does not lock. */
export async function lockStoredBytes(tx: Knex.Transaction): Promise<number> {
  const lock = () => tx('rate_limits').where({ name: NAME }).forUpdate().first('used', 'ends_at')
  let row = await lock()
  if (!row) {
    await tx('rate_limits').insert({ name: NAME, used: 0, ends_at: 0 }).onConflict('name').ignore()
    row = await lock()
  }
  return Number(row.ends_at) === NEVER ? Number(row.used) : sumSizes(tx)
}

/** Sets the counter, which the transaction has locked. */
export const setStoredBytes = (tx: Knex.Transaction, bytes: number): Promise<unknown> =>
  tx('rate_limits').where({ name: NAME }).update({ used: bytes, ends_at: NEVER })

/** Computes the counter anew from the rows. */
export const correctStoredBytes = (db: Knex): Promise<void> =>
  db.transaction(async (tx) => {
    await lockStoredBytes(tx)
    await setStoredBytes(tx, await sumSizes(tx))
  })

/** Deletes all rows with these blobs, subtracts the sizes of the files, and returns the number of rows. */
export const deleteFiles = (db: Knex, blobs: string[]): Promise<number> =>
  db.transaction(async (tx) => {
    const stored = await lockStoredBytes(tx)
    const rows = tx('attachments').whereIn('blob', blobs)
    const deleted = await sumSizes(tx, rows)
    const count = await rows.delete()
    await setStoredBytes(tx, stored - deleted)
    return count
  })

/** Rows with the same blobs count once. */
async function sumSizes(db: Knex, rows: Knex.QueryBuilder = db('attachments')): Promise<number> {
  const files = rows.clone().groupBy('blob').max({ size: 'size' })
  const result = await db.from(files.as('counted')).sum({ bytes: 'size' }).first()
  return Number(result?.bytes ?? 0)
}
