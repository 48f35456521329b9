import { type Receipt, type ReceiptView, type SecretMeta, viewsLeft } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

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
  hash: row.hash,
  ownerId: row.owner_id,
  maxViews: row.max_views,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  views: row.views,
  viewedAt: toTime(row.viewed_at),
  wrongPasswords: row.wrong_passwords,
  wrongPasswordAt: toTime(row.wrong_password_at),
  refusedAddresses: row.refused_addresses,
  refusedAddressAt: toTime(row.refused_address_at),
  outcome: row.outcome,
  endedAt: toTime(row.ended_at),
  viewList: views.map(toReceiptView),
})

const toReceiptView = ({ at, network, browser, recipient }: Row): ReceiptView => {
  return { at: Number(at), network, browser, recipient }
}

const toTime = (value: string | number | null): number | null => (value === null ? null : Number(value))
