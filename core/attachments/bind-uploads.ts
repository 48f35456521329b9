/** The files of a new secret: uploads to bind and inline files to store. */
import { Readable } from 'node:stream'
import type { App } from '../app.js'
import type { Attachment, Binding } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { CreateSecret } from '../shared/api/index.js'
import { blobKey } from './blob-keys.js'
import { beginUpload } from './reserve-upload.js'
import { assertCanUpload, openFileStore } from './upload-policy.js'
import { hashUploadToken, type UploadPurpose } from './upload-token.js'

/**
 * A small file that was sent inside a create request. Name and type are plaintext, so only public secrets have them.
 */
export interface InlineFile {
  id: string
  name: string | null
  type: string | null
  bytes: Uint8Array
}

/** The uploads that a create request names. The storage checks their tokens. Throws the errors of `assertCanUpload`. */
export async function toBindings(app: App, files: CreateSecret['files'], caller: AuthContext): Promise<Binding[]> {
  if (!files || files.length === 0) return []
  await assertCanUpload(app, caller)
  return toHashedBindings(
    files.flatMap((file) => ('token' in file ? [file] : [])),
    null,
  )
}

/**
 * The uploads that a submission to a secret request names. Throws AppError `settings.uploads_disabled`, and
 * `file.not_found` for an upload of another request.
 */
export async function toRequestBindings(app: App, requestId: string, files: UploadReference[]): Promise<Binding[]> {
  if (files.length > 0) await openFileStore(app)
  return toHashedBindings(files, requestId)
}

export interface UploadReference {
  id: string
  token: string
}

function toHashedBindings(files: UploadReference[], purpose: UploadPurpose): Binding[] {
  return files.map(({ id, token }, position) => {
    const tokenHash = hashUploadToken(token, purpose)
    if (tokenHash === null) throw new AppError('file.not_found', { field: `files.${position}` })
    return { id, tokenHash }
  })
}

/**
 * Encrypted bytes of all files of a secret. An upload that does not exist counts as 0. So does an upload of another
 * secret, which was charged for its bytes.
 */
export async function measureFiles({ storage, now }: App, uploads: Binding[], inline: InlineFile[]): Promise<number> {
  const found = await Promise.all(uploads.map(({ id }) => storage.attachments.find(id, now())))
  const newBytes = (file: Attachment | null) => (file && file.copiesMade === 0 ? file.size : 0)
  const sizes = [...found.map(newBytes), ...inline.map(({ bytes }) => bytes.length)]
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Stores inline files as uploads, ready to be bound. */
export async function storeInlineFiles(app: App, inline: InlineFile[], caller: AuthContext): Promise<Binding[]> {
  const bindings: Binding[] = []
  for (const { bytes, ...file } of inline) {
    const upload = { ...file, size: bytes.length, parts: 1, copies: 1 }
    const { attachment } = await beginUpload(app, upload, { caller, purpose: null })
    const { id, blob, tokenHash, expiresAt } = attachment
    const files = await openFileStore(app)
    await files.put(blobKey(blob, 0), Readable.from([bytes], { objectMode: false }), bytes.length)
    await app.storage.attachments.recordPart({ id, index: 0, expiresAt, now: app.now() })
    bindings.push({ id, tokenHash })
  }
  return bindings
}
