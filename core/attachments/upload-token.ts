/** Upload tokens: 32 random bytes that authorize the parts of one upload. Only a hash is stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Attachment } from '../contracts/attachments.js'
import { AppError } from '../lib/errors.js'
import type { AttachmentDeps } from './attachment-deps.js'

export const createUploadToken = (): string => randomBytes(32).toString('base64url')

export const hashUploadToken = (token: string): string =>
  createHash('sha256').update(`mayfly/v1/upload${token}`).digest('hex')

/** Loads an open upload. Throws AppError `file.not_found`, the same for every reason. */
export async function loadUpload(
  { store, now }: Pick<AttachmentDeps, 'store' | 'now'>,
  id: string,
  token: string,
): Promise<Attachment> {
  const upload = await store.find(id, now())
  const isAuthorized = upload && timingSafeEqual(Buffer.from(upload.tokenHash), Buffer.from(hashUploadToken(token)))
  if (!isAuthorized || upload.secretId !== null) throw new AppError('file.not_found')
  return upload
}
