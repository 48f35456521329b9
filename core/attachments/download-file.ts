import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { base64urlnopad } from '@scure/base'
import type { Attachment, AttachmentStore } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import { assertStreamLength } from '../lib/blob-body.js'
import { AppError } from '../lib/errors.js'
import type { SizedStream } from '../lib/sized-stream.js'
import type { Download } from '../shared/api/index.js'
import { partPassphrase, rawFileKey } from '../shared/crypto/keys.js'
import { blobKey } from './blob-keys.js'
import type { DownloadLimiter } from './download-limiter.js'
import { hashTicket } from './open-tickets.js'
import { storedPartLength } from './part-layout.js'

interface Deps {
  store: Pick<AttachmentStore, 'byTicket'>
  files: FileStore | null
  limitDownloads: DownloadLimiter
  /** Epoch ms. */
  now: () => number
}

/**
 * Returns one part of a file or, without `part`, all parts, each after its length (uint32 big endian). Files of raw and
 * public secrets are returned as plain bytes. Throws AppError `file.not_found`, `file.unavailable`, `request.invalid` or
 * `limit.reached`.
 */
export async function downloadFile(
  { store, files, limitDownloads, now }: Deps,
  { key, secretId, part }: Download,
): Promise<SizedStream> {
  const [lookup = '', rawKey] = secretId.split('~')
  const attachment = await store.byTicket(hashTicket(key), now())
  if (!attachment || attachment.secretId !== lookup || !files) throw new AppError('file.not_found')
  const isPlain = rawKey !== undefined || attachment.name !== null
  const length = part === undefined ? null : storedPartLength(attachment, part)
  if (part !== undefined && (length === null || (isPlain && part !== 0))) {
    throw new AppError('request.invalid', { field: 'part', message: `part: must be less than ${attachment.parts}` })
  }
  return limitDownloads(hashTicket(key), async () => {
    if (isPlain) return readPlainFile(files, attachment, rawKey)
    if (part === undefined || length === null) return readAllParts(files, attachment)
    return { body: await readPart(files, attachment, part), length }
  })
}

/** The only part of a file that the server stored itself. Decrypted when `rawKey`, the key of a raw secret, is given. */
async function readPlainFile(
  files: FileStore,
  attachment: Attachment,
  rawKey: string | undefined,
): Promise<SizedStream> {
  const stored = await readPart(files, attachment, 0)
  if (rawKey === undefined) return { body: stored, length: attachment.size }
  const passphrase = partPassphrase(rawFileKey(base64urlnopad.decode(rawKey), attachment.id), 0)
  const { decrypt } = await import('../shared/crypto/age.js')
  const bytes = await decrypt(await buffer(stored), passphrase).catch((cause) => {
    throw new AppError('file.not_found', {}, { cause })
  })
  return { body: Readable.from([bytes]), length: bytes.length }
}

/** Requests the first part before the response starts, so that an unavailable store is reported as an error. */
async function readAllParts(files: FileStore, attachment: Attachment): Promise<SizedStream> {
  const first = await readPart(files, attachment, 0)
  async function* framed() {
    for (let index = 0; index < attachment.parts; index++) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(storedPartLength(attachment, index) ?? 0)
      yield length
      yield* index === 0 ? first : await readPart(files, attachment, index)
    }
  }
  const body = Readable.from(framed(), { objectMode: false })
  body.once('close', () => first.destroy())
  return { body, length: attachment.size + 4 * attachment.parts }
}

/** The blob of a part. The stream fails when the store returns more or fewer bytes than the part has. */
async function readPart(files: FileStore, attachment: Attachment, index: number): Promise<Readable> {
  const source = await files.get(blobKey(attachment.blob, index))
  const part = Readable.from(assertLength(source, storedPartLength(attachment, index) ?? 0), { objectMode: false })
  // The source may fail before it is read. The error is reported to the reader then.
  source.on('error', () => {})
  part.once('close', () => source.destroy())
  return part
}

async function* assertLength(source: Readable, length: number): AsyncGenerator<Buffer, void, void> {
  try {
    yield* assertStreamLength(source, length)
  } catch (cause) {
    throw new AppError('file.unavailable', {}, { cause })
  }
}
