import type { Knex } from 'knex'
import type { ReceiptStore } from '#core'
import { toReceipt } from '../rows/receipt-rows.js'

export function createReceiptStore(db: Knex): ReceiptStore {
  return {
    async find(hash) {
      const row = await db('receipts').where({ hash }).first()
      if (!row) return null
      const views = row.views > 0 ? await db('receipt_views').where({ receipt_hash: hash }).orderBy('number') : []
      return toReceipt(row, views)
    },
    async recordRefusal(hash, kind, now) {
      const [count, time] =
        kind === 'address' ? ['refused_addresses', 'refused_address_at'] : ['wrong_passwords', 'wrong_password_at']
      await db('receipts')
        .where({ hash, ended_at: null })
        .update({ [count]: db.raw('?? + 1', [count]), [time]: now })
    },
    deleteEnded: (before, limit) => deleteEnded(db, before, limit),
  }
}

/** Selects first, because no form of `delete ... limit` runs on every engine. The views are deleted by their foreign key. */
async function deleteEnded(db: Knex, before: number, limit: number): Promise<number> {
  const hashes: string[] = await db('receipts')
    .where('ended_at', '<=', before)
    .orderBy('ended_at')
    .limit(limit)
    .pluck('hash')
  return hashes.length === 0 ? 0 : db('receipts').whereIn('hash', hashes).delete()
}
