import { type Receipt, type SecretMeta, viewsLeft } from '#core'
import type { RowOf } from '#migrations'
import { fromRow } from './convert-rows.js'
import type { Row } from './tables.js'

/** The receipt of a secret that is created now. */
export const toReceiptRow = (secret: SecretMeta, hash: string): RowOf<'receipts'> => ({
  hash,
  owner_id: secret.ownerId,
  max_views: viewsLeft(secret),
  created_at: secret.createdAt,
  expires_at: secret.expiresAt,
  views: 0,
  viewed_at: null,
  wrong_passwords: 0,
  wrong_password_at: null,
  refused_addresses: 0,
  refused_address_at: null,
  outcome: null,
  ended_at: null,
})

/** `views`: rows of the views, in their order. */
export const toReceipt = (row: Row, views: Row[]): Receipt => ({
  ...fromRow('receipts', row),
  viewList: views.map((view) => fromRow('receipt_views', view, 'receipt_hash', 'number')),
})
