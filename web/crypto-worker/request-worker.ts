/**
 * Web worker for secret requests: keys, submissions and notes. The only script of the page with post-quantum
 * cryptography.
 */
import type { OpenedRequest, ViewedSecret } from '#shared/api'
import { attachedFiles } from '#shared/client/attached-files'
import { decodeText, encodeText } from '#shared/crypto/envelope'
import { deriveCollectKeys, deriveShareKeys } from '#shared/crypto/request-keys'
import { decryptNote, type RequestNote } from '#shared/crypto/request-note'
import {
  assertRecipient,
  createRequestKeys,
  decryptSubmission,
  encryptSubmission,
  type SubmissionDraft,
} from '#shared/crypto/submission'
import { serveJobs } from './rpc-server.js'
import type { DecryptedSecret } from './worker.js'

/** A part of the request link. */
interface ShareSecret {
  shareSecret: Uint8Array
  fingerprint: Uint8Array
}

const jobs = {
  /** Throws RangeError when the note is too long. */
  create: (note: RequestNote | null) => createRequestKeys(note),

  submitProof: (shareSecret: Uint8Array): string => deriveShareKeys(shareSecret).submitProof,

  /** Null: the request has no note. Throws RequestTamperedError or DecryptError. */
  async readRequest(opened: OpenedRequest, { shareSecret, fingerprint }: ShareSecret): Promise<RequestNote | null> {
    assertRecipient(opened, fingerprint)
    return opened.note === null ? null : decryptNote(opened.note, deriveShareKeys(shareSecret).notePassphrase)
  },

  /** Throws RequestTamperedError, or RangeError when the text contains an unpaired surrogate. */
  seal(
    draft: Omit<SubmissionDraft, 'text' | 'authenticKey'> & { text: string },
    recipient: string,
    { shareSecret, fingerprint }: ShareSecret,
  ) {
    assertRecipient({ recipient }, fingerprint)
    const { authenticKey } = deriveShareKeys(shareSecret)
    return encryptSubmission({ ...draft, authenticKey, text: encodeText(draft.text) }, recipient)
  },

  collectProof: (requestKey: Uint8Array): string => deriveCollectKeys(requestKey).collectProof,

  /** Throws DecryptError. */
  readNote: (note: string, requestKey: Uint8Array) => decryptNote(note, deriveCollectKeys(requestKey).notePassphrase),

  /** Throws DecryptError or RequestTamperedError. */
  async open(
    viewed: ViewedSecret,
    { requestKey, requestId }: { requestKey: Uint8Array; requestId: string },
    maxTextBytes: number,
  ): Promise<DecryptedSecret & { tag: string }> {
    const keys = { ...deriveCollectKeys(requestKey), requestId }
    const { header, text, warnings, tag } = await decryptSubmission(viewed, keys, maxTextBytes)
    const files = attachedFiles(viewed, header)
    return { title: header.title, text: decodeText(text), bytes: new Uint8Array(text), files, warnings, tag }
  },
}

export type RequestJobs = typeof jobs

serveJobs(jobs)
