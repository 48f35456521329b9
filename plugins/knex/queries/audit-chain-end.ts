/**
 * The end of the hash chain of the audit log, in the instance state. Locking it makes processes append one after the
 * other. A missing row is computed when it is needed: it is missing on a new database, and after a restore.
 */
import type { Knex } from 'knex'
import { CHAIN_END_KEY, CHAIN_START, type ChainPoint } from '#core'

/** Reads the end, without a lock. */
export async function readChainEnd(db: Knex): Promise<ChainPoint> {
  const row = await db('instance_state').where({ name: CHAIN_END_KEY }).first('value')
  return row ? parseEnd(row.value) : findLast(db)
}

/** Locks the end until the end of the transaction, and returns it. Call before any read that does not lock. */
export async function lockChainEnd(tx: Knex.Transaction): Promise<ChainPoint> {
  const lock = () => tx('instance_state').where({ name: CHAIN_END_KEY }).forUpdate().first('value')
  let row = await lock()
  if (!row) {
    const value = formatEnd(await findLast(tx))
    await tx('instance_state').insert({ name: CHAIN_END_KEY, value }).onConflict('name').ignore()
    row = await lock()
  }
  return parseEnd(row.value)
}

/** Sets the end, which the transaction has locked. */
export const setChainEnd = (tx: Knex.Transaction, end: ChainPoint): Promise<unknown> =>
  tx('instance_state')
    .where({ name: CHAIN_END_KEY })
    .update({ value: formatEnd(end) })

async function findLast(db: Knex): Promise<ChainPoint> {
  const last = await db('audit').where('position', '>', 0).orderBy('position', 'desc').first('position', 'hash')
  return last ? { position: Number(last.position), hash: last.hash } : CHAIN_START
}

const formatEnd = ({ position, hash }: ChainPoint): string => `${position} ${hash}`

function parseEnd(value: string): ChainPoint {
  const [position, hash = ''] = value.split(' ')
  return { position: Number(position), hash }
}
