import type { App } from '../app.js'
import type { Attachment } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { fieldError } from '../lib/errors.js'
import { newId } from '../lib/random-token.js'
import { assertSubmittedFileFollowsPolicy, assertUploadFollowsPolicy } from '../settings/policy-rules.js'
import type { CreatedFile, CreateFile } from '../shared/api/index.js'
import { encryptedFileLength } from '../shared/crypto/encrypted-sizes.js'
import { createBlobId } from './blob-keys.js'
import { countParts, MAX_PART } from './part-layout.js'
import { chargeSharedBudgets, quotaError, uploadLimitsOf } from './quotas.js'
import { assertCanUpload, loadTokenQuota, openFileStore, type TokenQuota } from './upload-policy.js'
import { createUploadToken, type UploadPurpose } from './upload-token.js'
import { deriveUploaderId } from './uploader-id.js'

/** An upload that no secret binds ends this long after its last new part. */
export const UPLOAD_MS = 60 * 60_000

/**
 * Begins the upload of an encrypted file. Throws AppError `file.too_large`, `file.too_many_uploads`,
 * `file.quota_used_up`, `file.no_space`, `token.used_up`, `settings.policy`, `request.invalid`, or an error of
 * `assertCanUpload`.
 */
export async function reserveUpload(app: App, file: CreateFile, caller: AuthContext): Promise<CreatedFile> {
  await assertCanUpload(app, caller)
  await assertUploadFollowsPolicy(app, file.size, caller)
  return reserveWithinLimits(app, file, { caller, purpose: null })
}

/**
 * Begins the upload of a file for a submission to a secret request, which also visitors may do. Only a submission to
 * this request can bind it, because it uses the quota for requests of the `owner`. Throws as `reserveUpload`.
 */
export async function reserveForRequest(
  app: App,
  file: CreateFile,
  requestId: string,
  owner: AuthContext,
): Promise<CreatedFile> {
  await openFileStore(app)
  await assertSubmittedFileFollowsPolicy(app, file.size, owner.userId)
  return reserveWithinLimits(app, file, { caller: owner, purpose: requestId })
}

interface Uploader {
  caller: AuthContext
  purpose: UploadPurpose
  /** Bytes that the upload reserves. Absent for files of a secret that was charged before. */
  quota?: TokenQuota | null
}

async function reserveWithinLimits(
  app: App,
  { size, parts, copies = 1 }: CreateFile,
  uploader: Uploader,
): Promise<CreatedFile> {
  const { maxFileBytes } = app.config
  if (size > encryptedFileLength(maxFileBytes)) {
    throw fieldError('size', `a file must be at most ${maxFileBytes} bytes before encryption`, 'file.too_large')
  }
  if (parts !== countParts(size)) throw fieldError('parts', `must be ${countParts(size)} for this size`)
  const quota = await loadTokenQuota(app, uploader.caller)
  const id = newId()
  const file = { id, size, parts, copies, name: null, type: null }
  const { token } = await beginUpload(app, file, { ...uploader, quota })
  return { id, token, maxPartSize: MAX_PART }
}

/**
 * Stores the row of an upload. Throws AppError `file.too_many_uploads`, `file.quota_used_up`, `file.no_space` or
 * `token.used_up`.
 */
export async function beginUpload(
  app: App,
  file: Pick<Attachment, 'id' | 'size' | 'parts' | 'copies' | 'name' | 'type'>,
  { caller, purpose, quota = null }: Uploader,
): Promise<{ token: string; attachment: Attachment }> {
  const { config, key, now } = app
  const store = app.storage.attachments
  const { token, tokenHash } = createUploadToken(purpose)
  const attachment: Attachment = {
    ...file,
    fileId: file.id,
    blob: createBlobId(),
    tokenHash,
    uploader: deriveUploaderId(caller, key, purpose === null ? 'own' : 'requests'),
    reservedFor: quota?.id ?? null,
    copiesMade: 0,
    secretId: null,
    expiresAt: now() + UPLOAD_MS,
  }
  const limits = { ...uploadLimitsOf(caller, config), ...(quota && { tokenBytes: quota.bytes }) }
  const refused = await store.reserve(attachment, limits, now())
  if (refused) throw quotaError(refused, limits, now())
  await chargeSharedBudgets(app, attachment.size, caller).catch(async (error) => {
    await store.cancel(attachment.id, now())
    app.background.cleanup.deleteFilesSoon()
    throw error
  })
  return { token, attachment }
}
