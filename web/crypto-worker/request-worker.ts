/**
 * Web worker for secret requests: keys, submissions and notes. The only script of the page with post-quantum
 * cryptography.
 */
import type { OpenedRequest, ViewedSecret } from '#shared/api'
import { type AnswerDraft, encryptAnswer, readOpenedRequest } from '#shared/client/answer-request'
import { readSubmission } from '#shared/client/viewed-submission'
import { decodeText, encodeText } from '#shared/crypto/envelope'
import { deriveCollectKeys, deriveShareKeys } from '#shared/crypto/request-keys'
import { decryptNote, type RequestNote } from '#shared/crypto/request-note'
import { createRequestKeys } from '#shared/crypto/submission'
import type { CollectLink, RequestLink } from '#shared/request-link'
import { serveJobs } from './rpc-server.js'
import type { DecryptedSecret } from './worker.js'

const jobs = {
  /** Throws RangeError when the note is too long. */
  create: (note: RequestNote) => createRequestKeys(note),

  submitProof: (shareSecret: Uint8Array): string => deriveShareKeys(shareSecret).submitProof,

  /** Null: the request has no note. Throws RequestTamperedError or DecryptError. */
  readRequest: (opened: OpenedRequest, link: RequestLink) => readOpenedRequest(opened, link),

  /** Throws RequestTamperedError, or RangeError when the text contains an unpaired surrogate. */
  seal: async (
    { text, files }: Pick<AnswerDraft, 'files'> & { text: string },
    opened: Pick<OpenedRequest, 'recipient' | 'expiresAt'>,
    link: RequestLink,
  ) => encryptAnswer({ text: encodeText(text), files }, opened, link),

  collectProof: (requestKey: Uint8Array): string => deriveCollectKeys(requestKey).collectProof,

  /** Throws DecryptError. */
  readNote: (note: string, requestKey: Uint8Array) => decryptNote(note, deriveCollectKeys(requestKey).notePassphrase),

  /** Throws DecryptError or RequestTamperedError. */
  async open(
    viewed: ViewedSecret,
    link: CollectLink,
    maxTextBytes: number,
  ): Promise<DecryptedSecret & { tag: string }> {
    const content = await readSubmission(viewed, link, maxTextBytes)
    return { ...content, text: decodeText(content.text), bytes: new Uint8Array(content.text) }
  },
}

export type RequestJobs = typeof jobs

serveJobs(jobs)
