import type { Knex } from 'knex'
import type { ReceiptStore } from '#core'
import { deleteExpired } from '../queries/delete-expired.js'
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
    // The views are deleted by their foreign key.
    deleteEnded: (before, limit) => deleteExpired(db, 'receipts', before, limit),
  }
}
