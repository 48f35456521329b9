import type { App } from '../app.js'
import type { Binding } from '../contracts/attachments.js'
import { AppError } from '../lib/errors.js'
import { loadUpload } from './upload-token.js'
import { deriveUploaderId, QUOTA_SHARES } from './uploader-id.js'

/** Throws AppError `file.not_found`. */
export async function cancelUpload(app: App, id: string, token: string): Promise<void> {
  await loadUpload(app, id, token)
  if (!(await app.storage.attachments.cancel(id, app.now()))) throw new AppError('file.not_found')
  app.background.cleanup.deleteFilesSoon()
}

/** Cancels all open uploads of a user, and those for submissions to the user's requests. */
export async function cancelUserUploads({ storage, key, now }: App, userId: string): Promise<void> {
  for (const share of QUOTA_SHARES) {
    await storage.attachments.cancelAll(deriveUploaderId({ userId, address: null }, key, share), now())
  }
}

/** Cancels uploads that the server stored for a secret that was not created. */
export async function discardUploads({ storage, background, now }: App, uploads: Binding[]): Promise<void> {
  for (const { id } of uploads) await storage.attachments.cancel(id, now())
  if (uploads.length > 0) background.cleanup.deleteFilesSoon()
}
