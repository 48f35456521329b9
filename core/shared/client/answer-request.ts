/** Answers a secret request: checks its recipient, reads its note, and encrypts the submission. */
import type { CreateSubmission, OpenedRequest } from '../api/index.js'
import type { DraftFile } from '../crypto/encrypt-secret.js'
import { deriveShareKeys } from '../crypto/request-keys.js'
import { decryptNote, type RequestNote } from '../crypto/request-note.js'
import { assertRecipient, encryptSubmission } from '../crypto/submission.js'
import type { RequestLink } from '../request-link.js'

/** Input of the submitter. `ttl`: seconds; at most, and by default, until the request expires. */
export interface AnswerDraft {
  text: Uint8Array
  files: DraftFile[]
  ttl?: number | undefined
}

/**
 * Returns title and instructions; null: the request has none. Call it before anything is typed or uploaded. Throws
 * DecryptError, and RequestTamperedError if the link names another recipient.
 */
export async function readOpenedRequest(
  opened: Pick<OpenedRequest, 'recipient' | 'note'>,
  { shareSecret, fingerprint }: Pick<RequestLink, 'shareSecret' | 'fingerprint'>,
): Promise<RequestNote | null> {
  assertRecipient(opened, fingerprint)
  return opened.note === null ? null : decryptNote(opened.note, deriveShareKeys(shareSecret).notePassphrase)
}

/** Encrypts a submission and returns the body of its request. Throws RequestTamperedError. */
export async function encryptAnswer(
  { text, files, ttl }: AnswerDraft,
  opened: Pick<OpenedRequest, 'recipient' | 'expiresAt'>,
  { id, shareSecret, fingerprint }: Omit<RequestLink, 'base'>,
): Promise<CreateSubmission> {
  assertRecipient(opened, fingerprint)
  const { submitProof, authenticKey } = deriveShareKeys(shareSecret)
  const expiresAt = ttl === undefined ? opened.expiresAt : Math.min(opened.expiresAt, Date.now() + ttl * 1000)
  const draft = { requestId: id, authenticKey, text, files, expiresAt }
  const sealed = await encryptSubmission(draft, opened.recipient)
  return { submit: submitProof, ...sealed, ...(ttl === undefined ? {} : { ttl }) }
}
