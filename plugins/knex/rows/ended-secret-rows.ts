import { type EndedSecret, type ReceiptOutcome, type SecretMeta, viewsLeft } from '#core'
import type { RowOf } from '#migrations'
import type { EpochMs } from '#shared/epoch-ms'
import { fromRow } from './convert-rows.js'
import type { Row } from './tables.js'

/** A secret with an owner, as it was at its end. */
export type OwnedSecret = SecretMeta & { ownerId: string }

export const toEndedSecretRow = (
  secret: OwnedSecret,
  outcome: ReceiptOutcome,
  endedAt: EpochMs,
): RowOf<'ended_secrets'> => ({
  id: secret.id,
  owner_id: secret.ownerId,
  kind: secret.kind,
  outcome,
  created_at: secret.createdAt,
  ended_at: endedAt,
  views: secret.views,
  max_views: viewsLeft(secret) === null ? null : secret.maxViews,
  has_password: secret.passwordHash !== null,
  files: secret.files,
})

export const toEndedSecret = (row: Row): EndedSecret => fromRow('ended_secrets', row)
