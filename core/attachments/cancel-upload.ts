import type { Binding } from '../contracts/attachments.js'
import { AppError } from '../lib/errors.js'
import type { AttachmentDeps } from './attachment-deps.js'
import { loadUpload } from './upload-token.js'
import { deriveUploaderId } from './uploader-id.js'

/** Throws AppError `file.not_found`. */
export async function cancelUpload(deps: AttachmentDeps, id: string, token: string): Promise<void> {
  await loadUpload(deps, id, token)
  if (!(await deps.store.cancel(id, deps.now()))) throw new AppError('file.not_found')
  deps.deleteFilesSoon()
}

/** Cancels all open uploads of a user. */
export async function cancelUserUploads({ store, key, now }: AttachmentDeps, userId: string): Promise<void> {
  await store.cancelAll(deriveUploaderId({ userId, address: null }, key), now())
}

/** Cancels uploads that the server stored for a secret that was not created. */
export async function discardUploads(
  { store, now, deleteFilesSoon }: AttachmentDeps,
  uploads: Binding[],
): Promise<void> {
  for (const { id } of uploads) await store.cancel(id, now())
  if (uploads.length > 0) deleteFilesSoon()
}
