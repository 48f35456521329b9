import type { Readable } from 'node:stream'
import type { App } from '../app.js'
import { AppError, fieldError } from '../lib/errors.js'
import { blobKey } from './blob-keys.js'
import { storedPartLength } from './part-layout.js'
import { UPLOAD_MS } from './reserve-upload.js'
import { openFileStore } from './upload-policy.js'
import { loadUpload } from './upload-token.js'

export interface PartRef {
  id: string
  index: number
  token: string
}

/**
 * Stores one part of an upload. Repeating it is safe. `length`: declared by the client, in bytes; it must match the
 * layout of the file. Throws AppError `request.invalid`, `file.not_found`, `settings.uploads_disabled`, or an error of
 * the file store.
 */
export async function putPart(
  app: App,
  { id, index, token }: PartRef,
  { body, length }: { body: Readable; length: number | null },
): Promise<void> {
  const { storage, now } = app
  const files = await openFileStore(app)
  const upload = await loadUpload(app, id, token)
  // A secret has the file already.
  if (upload.copiesMade > 0) throw new AppError('file.not_found')
  const expected = storedPartLength(upload, index)
  if (expected === null) throw fieldError('index', `must be less than ${upload.parts}`)
  if (length !== expected) throw fieldError('content-length', `part ${index} must have ${expected} bytes`)
  const key = blobKey(upload.blob, index)
  await files.limitParts(id, () => files.put(key, body, expected))
  // A repeated part does not extend the upload, so that a client cannot keep it open without an end.
  const isRepeated = (await storage.attachments.listParts(id, now())).includes(index)
  const endsAt = isRepeated ? upload.expiresAt : now() + UPLOAD_MS
  if (await storage.attachments.recordPart({ id, index, expiresAt: endsAt, now: now() })) return
  // The upload ended while the part was stored, so no row points to the blob.
  await files.delete(key)
  throw new AppError('file.not_found')
}

/** Indexes of the stored parts, ascending. Throws AppError `file.not_found`. */
export async function listStoredParts(app: App, id: string, token: string): Promise<number[]> {
  await loadUpload(app, id, token)
  return app.storage.attachments.listParts(id, app.now())
}
