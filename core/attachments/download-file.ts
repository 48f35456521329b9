import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { base64urlnopad } from '@scure/base'
import type { App } from '../app.js'
import type { Attachment } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { assertStreamLength } from '../lib/blob-body.js'
import { AppError, fieldError, isAppError } from '../lib/errors.js'
import type { SizedStream } from '../lib/sized-stream.js'
import type { Download } from '../shared/api/index.js'
import { partPassphrase, rawFileKey } from '../shared/crypto/keys.js'
import { blobKey } from './blob-keys.js'
import type { DamagedBlobs } from './damaged-blobs.js'
import type { Files } from './files.js'
import { hashLimitedTicket, hashTicket } from './open-tickets.js'
import { storedPartLength } from './part-layout.js'
import { isTicketAllowed } from './ticket-address.js'

/** A running download checks whether its file was burned this often, in ms. */
const RECHECK_MS = 500

/**
 * Returns one part of a file or, without `part`, all parts, each after its length (uint32 big endian). Files of raw and
 * public secrets are returned as plain bytes. Throws AppError `file.not_found`, `file.unavailable`, `file.damaged`,
 * `request.invalid` or `limit.reached`.
 */
export async function downloadFile(
  app: App,
  { key, secretId, part }: Download,
  { address }: Pick<AuthContext, 'address'>,
): Promise<SizedStream> {
  const { files } = app
  const [lookup = '', rawKey] = secretId.split('~')
  const attachment = await findByTicket(app, key, address)
  if (!attachment || attachment.secretId !== lookup || !files) throw new AppError('file.not_found')
  const isPlain = rawKey !== undefined || attachment.name !== null
  const length = part === undefined ? null : storedPartLength(attachment, part)
  if (part !== undefined && (length === null || (isPlain && part !== 0))) {
    throw fieldError('part', `must be less than ${attachment.parts}`)
  }
  return files.limitDownloads(hashTicket(key), async () => {
    const { body, length } = await openBody(files, attachment, { part, isPlain, rawKey })
    return { body: endWithFile(app, attachment, body), length }
  })
}

interface Selection {
  /** undefined: all parts. */
  part: number | undefined
  isPlain: boolean
  rawKey: string | undefined
}

async function openBody(
  files: Files,
  attachment: Attachment,
  { part, isPlain, rawKey }: Selection,
): Promise<SizedStream> {
  if (isPlain) return readPlainFile(files, attachment, rawKey)
  if (part === undefined) return readAllParts(files, attachment)
  return { body: await readPart(files, attachment, part), length: storedPartLength(attachment, part) ?? 0 }
}

/**
 * The stream fails soon after the file has ended early, as by a burn. Its planned end does not end a running download.
 */
function endWithFile({ storage, now }: App, { id, expiresAt }: Attachment, body: Readable): Readable {
  let checkedAt = now()
  async function hasEnded(): Promise<boolean> {
    if (now() - checkedAt < RECHECK_MS || now() >= expiresAt) return false
    checkedAt = now()
    // A storage that does not respond does not end the download: the blob is still there.
    return storage.attachments.find(id, now()).then(
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

/** Null also if the ticket is of a secret that is limited to other addresses. */
async function findByTicket(
  { storage, key, now }: App,
  ticket: string,
  address: string | null,
): Promise<Attachment | null> {
  const unlimited = await storage.attachments.findByTicket(hashTicket(ticket), now())
  if (unlimited || !isTicketAllowed(ticket, address, key)) return unlimited
  return storage.attachments.findByTicket(hashLimitedTicket(ticket), now())
}

/**
 * The only part of a file that the server stored itself. Decrypted when `rawKey`, the key of a raw secret, is given.
 */
async function readPlainFile(files: Files, attachment: Attachment, rawKey: string | undefined): Promise<SizedStream> {
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
async function readAllParts(files: Files, attachment: Attachment): Promise<SizedStream> {
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
async function readPart(files: Files, attachment: Attachment, index: number): Promise<Readable> {
  const key = blobKey(attachment.blob, index)
  files.damaged.assertSound(key)
  const source = await files.get(key)
  const length = storedPartLength(attachment, index) ?? 0
  const part = Readable.from(assertLength(source, { key, length }, files.damaged), { objectMode: false })
  // The source may fail before it is read. The reader gets the error when it starts to read.
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
