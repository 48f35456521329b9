/** Converts rows of secret requests to objects and back. */
import type { ListedRequest, NewSubmission, SecretRequest, Submission } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toRow } from './convert-rows.js'
import type { Row } from './tables.js'

export const toRequestRow = (request: SecretRequest): RowOf<'requests'> => toRow('requests', request)

export const toRequest = (row: Row): SecretRequest => fromRow('requests', row)

/** `unopened`: a count, which some drivers return as text. */
export const toListedRequest = (row: Row): ListedRequest => ({ ...toRequest(row), unopened: Number(row.unopened) })

export const toSubmissionRow = (requestId: string, { secret, size }: NewSubmission): RowOf<'submissions'> =>
  toRow('submissions', { ...secret, secretId: secret.id, requestId, size })

/** A row joined with its secret: `live_id` and `views` are null when the secret is gone. */
export const toSubmission = (row: Row, now: number): Submission => ({
  id: row.secret_id,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  size: Number(row.size),
  files: row.files,
  viewed: row.live_id === null || row.views > 0 || Number(row.expires_at) <= now,
})
