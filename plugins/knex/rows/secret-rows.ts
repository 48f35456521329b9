/**
 * Converts rows of secrets to objects and back: drivers return bigints as strings, and booleans as 0 and 1.
 */
import type { Attachment, IdempotencyRecord, PublicSecret, Secret, SecretMeta } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toRow } from './convert-rows.js'
import type { Row } from './tables.js'

/** Returns the spaces that are stored before a text, in the row with the id of its secret. */
export type TextMargin = (id: string, text: string) => string

export const toSecretRow = (secret: SecretMeta): RowOf<'secrets'> => ({
  id: secret.id,
  kind: secret.kind,
  title: secret.title,
  access_hash: secret.accessHash,
  password_hash: secret.passwordHash,
  burn_hash: secret.burnHash,
  owner_id: secret.ownerId,
  allowed_ip: secret.allowedIp,
  max_views: secret.maxViews,
  views: secret.views,
  prevent_burn: secret.preventBurn,
  notify: secret.notify,
  created_at: secret.createdAt,
  expires_at: secret.expiresAt,
  files: secret.files,
  failures: secret.failures,
  locks: 0,
  locked_until: secret.lockedUntil,
  cleanup_at: secret.expiresAt,
  receipt_hash: secret.receiptHash ?? null,
  recipients: secret.recipients ?? 0,
})

export const toSecretMeta = (row: Row): SecretMeta => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  accessHash: row.access_hash,
  passwordHash: row.password_hash,
  burnHash: row.burn_hash,
  ownerId: row.owner_id,
  allowedIp: row.allowed_ip,
  maxViews: row.max_views,
  views: row.views,
  preventBurn: Boolean(row.prevent_burn),
  notify: Boolean(row.notify),
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  files: row.files,
  failures: row.failures,
  lockedUntil: Number(row.locked_until),
  ...(row.receipt_hash !== null && { receiptHash: row.receipt_hash }),
  ...(row.recipients > 0 && { recipients: row.recipients }),
})

export const toSecret = (row: Row): Secret => ({ ...toSecretMeta(row), text: row.text })

export const toPublicSecret = (row: Row): PublicSecret => ({
  id: row.id,
  title: row.title,
  username: row.username,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
})

export const toIdempotencyRow = (record: IdempotencyRecord): RowOf<'idempotency_records'> =>
  toRow('idempotency_records', record)

export const toAttachmentRow = (attachment: Attachment): RowOf<'attachments'> =>
  toRow('attachments', { ...attachment, position: 0 })

export const toAttachment = (row: Row): Attachment => fromRow('attachments', row, 'position')
