import { randomBytes } from 'node:crypto'
import type { Attachment } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { CreatedFile, CreateFile } from '../shared/api/index.js'
import { encryptedFileLength } from '../shared/crypto/encrypted-sizes.js'
import type { AttachmentDeps } from './attachment-deps.js'
import { createBlobId } from './blob-keys.js'
import { countParts, MAX_PART } from './part-layout.js'
import { quotaError, uploadLimitsOf } from './quotas.js'
import { assertCanUpload, assertTokenHasQuota, openFileStore } from './upload-policy.js'
import { createUploadToken, type UploadPurpose } from './upload-token.js'
import { deriveUploaderId } from './uploader-id.js'

/** An upload that no secret binds ends this long after its last new part. */
export const UPLOAD_MS = 60 * 60_000

/**
 * Begins the upload of an encrypted file. Throws AppError `file.too_large`, `file.too_many_uploads`, `file.quota_used_up`,
 * `file.no_space`, `token.used_up`, `request.invalid`, or what `assertCanUpload` throws.
 */
export async function reserveUpload(deps: AttachmentDeps, file: CreateFile, caller: AuthContext): Promise<CreatedFile> {
  await assertCanUpload(deps, caller)
  return reserveWithinLimits(deps, file, { caller, purpose: null })
}

/**
 * Begins the upload of a file for a submission to a secret request, which also visitors may do. Only a submission to this request
 * can bind it, because it uses the quota for requests of the `owner`. Throws as `reserveUpload`.
 */
export async function reserveForRequest(
  deps: AttachmentDeps,
  file: CreateFile,
  requestId: string,
  owner: AuthContext,
): Promise<CreatedFile> {
  await openFileStore(deps)
  return reserveWithinLimits(deps, file, { caller: owner, purpose: requestId })
}

interface Uploader {
  caller: AuthContext
  purpose: UploadPurpose
}

async function reserveWithinLimits(
  deps: AttachmentDeps,
  { size, parts }: CreateFile,
  uploader: Uploader,
): Promise<CreatedFile> {
  const { maxFileBytes } = deps.settings
  if (size > encryptedFileLength(maxFileBytes)) {
    const message = `size: a file must be at most ${maxFileBytes} bytes before encryption`
    throw new AppError('file.too_large', { field: 'size', message })
  }
  if (parts !== countParts(size)) {
    const message = `parts: must be ${countParts(size)} for this size`
    throw new AppError('request.invalid', { field: 'parts', message })
  }
  await assertTokenHasQuota(deps, size, uploader.caller)
  const id = randomBytes(16).toString('base64url')
  const { token } = await beginUpload(deps, { id, size, parts, name: null, type: null }, uploader)
  return { id, token, maxPartSize: MAX_PART }
}

/** Stores the row of an upload. Throws AppError `file.too_many_uploads`, `file.quota_used_up` or `file.no_space`. */
export async function beginUpload(
  { store, settings, key, now }: AttachmentDeps,
  file: Pick<Attachment, 'id' | 'size' | 'parts' | 'name' | 'type'>,
  { caller, purpose }: Uploader,
): Promise<{ token: string; attachment: Attachment }> {
  const { token, tokenHash } = createUploadToken(purpose)
  const attachment: Attachment = {
    ...file,
    blob: createBlobId(),
    tokenHash,
    uploader: deriveUploaderId(caller, key, purpose === null ? 'own' : 'requests'),
    secretId: null,
    expiresAt: now() + UPLOAD_MS,
  }
  const limits = uploadLimitsOf(caller, settings)
  const refused = await store.reserve(attachment, limits, now())
  if (refused) throw quotaError(refused, limits, now())
  return { token, attachment }
}
