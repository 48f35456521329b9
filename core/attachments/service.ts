/** Files: uploaded in parts before a secret claims them, downloaded with tickets after a view. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AuthContext } from '../caller.js'
import type { Attachment, AttachmentStore, Binding, Refused, UploadLimits } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import type { LimitStore } from '../contracts/limits.js'
import { AppError } from '../errors.js'
import { assertCanCreate, type SettingsService } from '../settings/service.js'
import type { CreatedFile, CreateFile, CreateSecret } from '../shared/api.js'
import { PART_SIZE, sealedFileLength, sealedPartLength } from '../shared/parts.js'
import { atMost } from './at-most.js'
import { blobKey, newBlob } from './blob-key.js'
import { uploaderOf } from './uploader.js'

/** Uploads that no secret claims end this long after their last part. */
const UPLOAD_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Bytes of every sealed part but the last. */
const MAX_PART = sealedPartLength(PART_SIZE)
/** Of one upload, that come in to one process at the same time: as many as our clients send. */
const PARTS_AT_ONCE = 3
/** Smaller texts are bounded by how many secrets a visitor may make in a day; counting them would cost each a transaction. */
const SMALL_TEXT = 64 * 1024

/** What the operator decides about files. */
export interface AttachmentSettings {
  maxFileBytes: number
  maxFiles: number
  visitorUploads: boolean
  visitorBytesPerDay: number
  maxOpenUploads: number
}

interface Parts {
  store: AttachmentStore
  /** Of the storage, where uploads are counted too. */
  limits: Pick<LimitStore, 'take'>
  /** null: this instance keeps no files. */
  files: FileStore | null
  instance: SettingsService
  settings: AttachmentSettings
  /** Of the instance: 32 bytes. */
  key: Buffer
  /** Epoch ms. */
  now: () => number
  /** Called when a lease has ended. */
  sweepSoon: () => void
}

/** A small file that came inside a call. Names are plaintext, so only of public secrets. */
export interface InlineFile {
  id: string
  name: string | null
  type: string | null
  bytes: Uint8Array
}

export type AttachmentsService = ReturnType<typeof attachmentsService>

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hash under which an upload token is stored. */
const uploadTokenHash = (token: string): string => hashOf(`mayfly/v1/upload${token}`)

export function attachmentsService({ store, limits, files, instance, settings, key, now, sweepSoon }: Parts) {
  const fewParts = atMost(PARTS_AT_ONCE)

  /** Throws unless this instance takes files now. */
  async function openStore(): Promise<FileStore> {
    const { disable_file_upload } = await instance.current()
    if (!files || settings.maxFiles === 0 || disable_file_upload) throw new AppError('settings.uploads_disabled')
    return files
  }

  /** Asked when an upload begins and when a secret is to have it; the parts between say nothing about who sends them. */
  async function checkMayUpload(caller: AuthContext): Promise<void> {
    const { userId } = caller
    await openStore()
    assertCanCreate(caller, await instance.current())
    if (userId === null && !settings.visitorUploads) throw new AppError('file.visitors_refused')
  }

  async function mayUpload(caller: AuthContext): Promise<boolean> {
    return checkMayUpload(caller).then(
      () => true,
      () => false,
    )
  }

  async function reserve({ size, parts }: CreateFile, caller: AuthContext): Promise<CreatedFile> {
    await checkMayUpload(caller)
    const { maxFileBytes } = settings
    if (size > sealedFileLength(maxFileBytes)) {
      const message = `size: a file must be at most ${maxFileBytes} bytes before it is sealed`
      throw new AppError('file.too_large', { field: 'size', message })
    }
    if (parts !== Math.ceil(size / MAX_PART)) {
      const message = `parts: must be ${Math.ceil(size / MAX_PART)} for this size`
      throw new AppError('request.invalid', { field: 'parts', message })
    }
    const id = randomBytes(16).toString('base64url')
    const { token } = await begin({ id, size, parts, name: null, type: null }, caller)
    return { id, token, maxPartSize: MAX_PART }
  }

  async function begin(of: Pick<Attachment, 'id' | 'size' | 'parts' | 'name' | 'type'>, caller: AuthContext) {
    const token = randomBytes(32).toString('base64url')
    const attachment: Attachment = {
      ...of,
      blob: newBlob(),
      tokenHash: uploadTokenHash(token),
      uploader: uploaderOf(caller, key),
      secretId: null,
      expiresAt: now() + UPLOAD_MS,
    }
    const refused = await store.reserve(attachment, limitsOf(caller, settings), now())
    if (refused) throw overLimit(refused, now())
    return { token, attachment }
  }

  /** The caller's own upload; one and the same error for everything else. */
  async function reached(id: string, token: string): Promise<Attachment> {
    const upload = await store.find(id, now())
    const isTheirs = upload && timingSafeEqual(Buffer.from(upload.tokenHash), Buffer.from(uploadTokenHash(token)))
    if (!isTheirs || upload.secretId !== null) throw new AppError('file.not_found')
    return upload
  }

  /** Stores one part. `length`: what the caller says that it is, in bytes; a body of another length is refused. */
  async function putPart(
    { id, index, token }: { id: string; index: number; token: string },
    { body, length }: { body: Readable; length: number | null },
  ): Promise<void> {
    const fileStore = await openStore()
    const upload = await reached(id, token)
    const expected = storedPartLength(upload, index)
    if (expected === null) {
      throw new AppError('request.invalid', { field: 'index', message: `index: must be less than ${upload.parts}` })
    }
    if (length !== expected) {
      const message = `content-length: part ${index} must have ${expected} bytes`
      throw new AppError('request.invalid', { field: 'content-length', message })
    }
    const key = blobKey(upload.blob, index)
    await fewParts(id, () => fileStore.put(key, body, expected))
    // The upload may have ended meanwhile, and its blobs with it.
    if (await store.partStored(id, index, now() + UPLOAD_MS, now())) return
    await fileStore.delete(key)
    throw new AppError('file.not_found')
  }

  async function storedParts(id: string, token: string): Promise<number[]> {
    await reached(id, token)
    return store.storedParts(id, now())
  }

  async function cancel(id: string, token: string): Promise<void> {
    await reached(id, token)
    if (!(await store.cancel(id, now()))) throw new AppError('file.not_found')
    sweepSoon()
  }

  /** The uploads that a new secret brings along; whether they are the caller's, the storage tells. */
  async function bindings(brought: CreateSecret['files'], caller: AuthContext): Promise<Binding[]> {
    if (!brought || brought.length === 0) return []
    await checkMayUpload(caller)
    return brought.flatMap((file) => ('token' in file ? [{ id: file.id, tokenHash: uploadTokenHash(file.token) }] : []))
  }

  /** Takes a text from what a visitor may send in a day. Throws AppError `file.quota_used_up`. */
  async function chargeText(bytes: number, caller: AuthContext): Promise<void> {
    if (caller.userId !== null || bytes <= SMALL_TEXT) return
    const take = { name: uploaderOf(caller, key), cost: bytes, most: settings.visitorBytesPerDay, windowMs: DAY_MS }
    const [taken] = await limits.take([take], now())
    if (taken && !taken.granted) throw overLimit({ limit: 'bytes', until: taken.endsAt }, now())
  }

  /** Ends what somebody had begun to upload. */
  const cancelAll = async (userId: string): Promise<void> =>
    void (await store.cancelAll(uploaderOf({ userId, address: null }, key), now()))

  /** Bytes of these as they are stored; one that is not there has none. */
  async function sizeOf(uploaded: Binding[], inline: InlineFile[]): Promise<number> {
    const found = await Promise.all(uploaded.map(({ id }) => store.find(id, now())))
    const sizes = [...found.map((file) => file?.size ?? 0), ...inline.map(({ bytes }) => bytes.length)]
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** Stores files that came inside a call, ready to be bound. */
  async function keep(inline: InlineFile[], caller: AuthContext): Promise<Binding[]> {
    const kept: Binding[] = []
    for (const { bytes, ...file } of inline) {
      const { attachment } = await begin({ ...file, size: bytes.length, parts: 1 }, caller)
      const { id, blob, tokenHash, expiresAt } = attachment
      await (await openStore()).put(blobKey(blob, 0), Readable.from([bytes], { objectMode: false }), bytes.length)
      await store.partStored(id, 0, expiresAt, now())
      kept.push({ id, tokenHash })
    }
    return kept
  }

  /** Ends what was kept, because no secret needs it. */
  async function drop(kept: Binding[]): Promise<void> {
    for (const { id } of kept) await store.cancel(id, now())
    if (kept.length > 0) sweepSoon()
  }

  return { mayUpload, bindings, sizeOf, chargeText, keep, drop, reserve, putPart, storedParts, cancel, cancelAll }
}

/** Bytes of a part as it is stored; null when the file has no such part. */
export function storedPartLength({ size, parts }: Pick<Attachment, 'size' | 'parts'>, index: number): number | null {
  if (index >= parts) return null
  return index < parts - 1 ? MAX_PART : size - (parts - 1) * MAX_PART
}

function limitsOf({ userId }: AuthContext, settings: AttachmentSettings): UploadLimits {
  const bytes = userId === null ? settings.visitorBytesPerDay : null
  return { open: settings.maxOpenUploads, bytes, windowMs: DAY_MS }
}

function overLimit({ limit, until }: Refused, now: number): AppError {
  const retryAfter = Math.max(1, Math.ceil((until - now) / 1000))
  return new AppError(limit === 'open' ? 'file.too_many_uploads' : 'file.quota_used_up', { retryAfter })
}
