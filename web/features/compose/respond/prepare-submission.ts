/** Encrypts a submission for the recipient of the request, uploads its files and sends it. */
import type { CreatedSubmission, CreateSubmission } from '#shared/api'
import { isOutcomeUnknown } from '#shared/client/client'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { api } from '../../../lib/api.js'
import { randomHex } from '../../../lib/random-hex.js'
import { requestApi } from '../../../lib/request-api.js'
import { fileSupportPart } from '../ComposePage.js'
import type { Attachment } from '../draft/attachments.js'
import type { UploadOptions } from '../files/upload-files.js'
import type { AnsweredRequest } from './use-respond.js'

/**
 * Rejects with ApiError, NetworkError, JobError, UnreadableError or the signal's reason. Can be called again after an
 * error.
 */
export type SendSubmission = (watch: UploadOptions) => Promise<CreatedSubmission>

interface Prepared {
  body: CreateSubmission
  sent: DraftFile[]
}

/** Returns a function that sends the submission. Calling it again after an error creates no second submission. */
export function prepareSubmission(
  draft: { text: string; files: Attachment[] },
  request: AnsweredRequest,
): SendSubmission {
  const { link } = request
  let idempotencyKey = randomHex()
  let ready: Prepared | null = null
  return async (watch) => {
    ready ??= await encryptDraft(draft, request, watch)
    const { body, sent } = ready
    try {
      return await requestApi.submit(link.id, body, idempotencyKey)
    } catch (error) {
      // Else the submission may exist and own the files.
      if (!isOutcomeUnknown(error)) {
        ready = null
        idempotencyKey = randomHex()
        if (sent.length > 0) await (await fileSupportPart.load()).deleteUploads(sent)
      }
      throw error
    }
  }
}

async function encryptDraft(
  { text, files }: { text: string; files: Attachment[] },
  request: AnsweredRequest,
  options: UploadOptions,
): Promise<Prepared> {
  const { link, submitProof } = request
  const client = requestApi.uploader(api, link.id, submitProof)
  const sent = files.length > 0 ? await (await fileSupportPart.load()).uploadFiles(files, { ...options, client }) : []
  return { body: await requestCrypto.seal({ text, files: sent }, request, link), sent }
}
