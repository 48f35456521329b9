import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { base64urlnopad } from '@scure/base'
import type { Attachment, AttachmentStore } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { FileStore } from '../contracts/file-store.js'
import { assertStreamLength } from '../lib/blob-body.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { SizedStream } from '../lib/sized-stream.js'
import type { Download } from '../shared/api/index.js'
import { partPassphrase, rawFileKey } from '../shared/crypto/keys.js'
import { blobKey } from './blob-keys.js'
import type { DamagedBlobs } from './damaged-blobs.js'
import type { DownloadLimiter } from './download-limiter.js'
import { hashLimitedTicket, hashTicket } from './open-tickets.js'
import { storedPartLength } from './part-layout.js'
import { isTicketAllowed } from './ticket-address.js'

/** A running download checks whether its file was burned this often, in ms. */
const RECHECK_MS = 500

interface Deps {
  store: Pick<AttachmentStore, 'find' | 'findByTicket'>
  files: FileStore | null
  limitDownloads: DownloadLimiter
  damaged: DamagedBlobs
  /** Epoch ms. */
  now: () => number
}

/**
 * Returns one part of a file or, without `part`, all parts, each after its length (uint32 big endian). Files of raw and
 * public secrets are returned as plain bytes. Throws AppError `file.not_found`, `file.unavailable`, `file.damaged`,
 * `request.invalid` or `limit.reached`.
 */
export async function downloadFile(
  deps: Deps,
  { key, secretId, part }: Download,
  { address }: Pick<AuthContext, 'address'>,
): Promise<SizedStream> {
  const { store, files, limitDownloads, damaged, now } = deps
  const [lookup = '', rawKey] = secretId.split('~')
  const attachment = await findByTicket(store, key, address, now())
  if (!attachment || attachment.secretId !== lookup || !files) throw new AppError('file.not_found')
  const isPlain = rawKey !== undefined || attachment.name !== null
  const length = part === undefined ? null : storedPartLength(attachment, part)
  if (part !== undefined && (length === null || (isPlain && part !== 0))) {
    throw new AppError('request.invalid', { field: 'part', message: `part: must be less than ${attachment.parts}` })
  }
  return limitDownloads(hashTicket(key), async () => {
    const { body, length } = await openBody({ files, damaged }, attachment, { part, isPlain, rawKey })
    return { body: endWithFile(deps, attachment, body), length }
  })
}

interface Selection {
  /** undefined: all parts. */
  part: number | undefined
  isPlain: boolean
  rawKey: string | undefined
}

async function openBody(
  blobs: Blobs,
  attachment: Attachment,
  { part, isPlain, rawKey }: Selection,
): Promise<SizedStream> {
  if (isPlain) return readPlainFile(blobs, attachment, rawKey)
  if (part === undefined) return readAllParts(blobs, attachment)
  return { body: await readPart(blobs, attachment, part), length: storedPartLength(attachment, part) ?? 0 }
}

/** The stream fails soon after the file has ended early, as by a burn. Its planned end does not end a running download. */
function endWithFile({ store, now }: Deps, { id, expiresAt }: Attachment, body: Readable): Readable {
  let checkedAt = now()
  async function hasEnded(): Promise<boolean> {
    if (now() - checkedAt < RECHECK_MS || now() >= expiresAt) return false
    checkedAt = now()
    // A storage that does not respond does not end the download: the blob is still there.
    return store.find(id, now()).then(
      (file) => file === null,
      () => false,
    )
  }
  async function* readUntilEnd() {
    for await (const chunk of body) {
      if (await hasEnded()) throw new AppError('file.not_found')
      yield chunk
    }
  }
  const live = Readable.from(readUntilEnd(), { objectMode: false })
  live.once('close', () => body.destroy())
  return live
}

type Blobs = Pick<Deps, 'damaged'> & { files: FileStore }

/** Null also if the ticket is of a secret that is limited to other addresses. */
async function findByTicket(
  store: Deps['store'],
  ticket: string,
  address: string | null,
  now: number,
): Promise<Attachment | null> {
  const unlimited = await store.findByTicket(hashTicket(ticket), now)
  if (unlimited || !isTicketAllowed(ticket, address)) return unlimited
  return store.findByTicket(hashLimitedTicket(ticket), now)
}

/** The only part of a file that the server stored itself. Decrypted when `rawKey`, the key of a raw secret, is given. */
async function readPlainFile(blobs: Blobs, attachment: Attachment, rawKey: string | undefined): Promise<SizedStream> {
  const stored = await readPart(blobs, attachment, 0)
  if (rawKey === undefined) return { body: stored, length: attachment.size }
  const passphrase = partPassphrase(rawFileKey(base64urlnopad.decode(rawKey), attachment.id), 0)
  const { decrypt } = await import('../shared/crypto/age.js')
  const bytes = await decrypt(await buffer(stored), passphrase).catch((cause) => {
    throw new AppError('file.not_found', {}, { cause })
  })
  return { body: Readable.from([bytes]), length: bytes.length }
}

/** Requests the first part before the response starts, so that an unavailable store is reported as an error. */
async function readAllParts(blobs: Blobs, attachment: Attachment): Promise<SizedStream> {
  const first = await readPart(blobs, attachment, 0)
  async function* framed() {
    for (let index = 0; index < attachment.parts; index++) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(storedPartLength(attachment, index) ?? 0)
      yield length
      yield* index === 0 ? first : await readPart(blobs, attachment, index)
    }
  }
  const body = Readable.from(framed(), { objectMode: false })
  body.once('close', () => first.destroy())
  return { body, length: attachment.size + 4 * attachment.parts }
}

/** The blob of a part. The stream fails when the store returns more or fewer bytes than the part has. */
async function readPart({ files, damaged }: Blobs, attachment: Attachment, index: number): Promise<Readable> {
  const key = blobKey(attachment.blob, index)
  damaged.assertSound(key)
  const source = await files.get(key)
  const length = storedPartLength(attachment, index) ?? 0
  const part = Readable.from(assertLength(source, { key, length }, damaged), { objectMode: false })
  // The source may fail before it is read. The error is reported to the reader then.
  source.on('error', () => {})
  part.once('close', () => source.destroy())
  return part
}

async function* assertLength(
  source: Readable,
  { key, length }: { key: string; length: number },
  damaged: DamagedBlobs,
): AsyncGenerator<Buffer, void, void> {
  try {
    yield* assertStreamLength(source, length)
    damaged.recordRightLength(key)
  } catch (cause) {
    if (isAppError(cause, 'request.invalid')) damaged.recordWrongLength(key)
    throw new AppError('file.unavailable', {}, { cause })
  }
}
