/** Converts rows of secret requests to objects and back. See secret-rows.ts. */
import type { ListedRequest, NewSubmission, SecretRequest, Submission } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

export const toRequestRow = (request: SecretRequest): RowOf<'requests'> => ({
  id: request.id,
  owner_id: request.ownerId,
  recipient: request.recipient,
  note: request.note,
  submit_hash: request.submitHash,
  collect_hash: request.collectHash,
  max_submissions: request.maxSubmissions,
  submissions: request.submissions,
  max_bytes: request.maxBytes,
  allow_files: request.allowFiles,
  allowed_ip: request.allowedIp,
  notify: request.notify,
  created_at: request.createdAt,
  expires_at: request.expiresAt,
})

export const toRequest = (row: Row): SecretRequest => ({
  id: row.id,
  ownerId: row.owner_id,
  recipient: row.recipient,
  note: row.note,
  submitHash: row.submit_hash,
  collectHash: row.collect_hash,
  maxSubmissions: row.max_submissions,
  submissions: row.submissions,
  maxBytes: row.max_bytes === null ? null : Number(row.max_bytes),
  allowFiles: Boolean(row.allow_files),
  allowedIp: row.allowed_ip,
  notify: Boolean(row.notify),
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
})

/** `unopened`: a count, which some drivers return as text. */
export const toListedRequest = (row: Row): ListedRequest => ({ ...toRequest(row), unopened: Number(row.unopened) })

export const toSubmissionRow = (requestId: string, { secret, size }: NewSubmission): RowOf<'submissions'> => ({
  secret_id: secret.id,
  request_id: requestId,
  created_at: secret.createdAt,
  expires_at: secret.expiresAt,
  size,
  files: secret.files,
})

/** A row joined with its secret: `live_id` and `views` are null when the secret is gone. */
export const toSubmission = (row: Row, now: number): Submission => ({
  id: row.secret_id,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  size: Number(row.size),
  files: row.files,
  viewed: row.live_id === null || row.views > 0 || Number(row.expires_at) <= now,
})
