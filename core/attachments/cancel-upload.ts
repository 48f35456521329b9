import type { Binding } from '../contracts/attachments.js'
import { AppError } from '../lib/errors.js'
import type { AttachmentDeps } from './attachment-deps.js'
import { loadUpload } from './upload-token.js'
import { deriveUploaderId, QUOTA_SHARES } from './uploader-id.js'

/** Throws AppError `file.not_found`. */
export async function cancelUpload(deps: AttachmentDeps, id: string, token: string): Promise<void> {
  await loadUpload(deps, id, token)
  if (!(await deps.store.cancel(id, deps.now()))) throw new AppError('file.not_found')
  deps.deleteFilesSoon()
}

/** Cancels all open uploads of a user, and those for submissions to the user's requests. */
export async function cancelUserUploads({ store, key, now }: AttachmentDeps, userId: string): Promise<void> {
  for (const share of QUOTA_SHARES) {
    await store.cancelAll(deriveUploaderId({ userId, address: null }, key, share), now())
  }
}

/** Cancels uploads that the server stored for a secret that was not created. */
export async function discardUploads(
  { store, now, deleteFilesSoon }: AttachmentDeps,
  uploads: Binding[],
): Promise<void> {
  for (const { id } of uploads) await store.cancel(id, now())
  if (uploads.length > 0) deleteFilesSoon()
}
