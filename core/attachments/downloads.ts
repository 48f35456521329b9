/** Tickets, and what they open. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { base64urlnopad } from '@scure/base'
import { exactly } from '../blobs.js'
import type { Attachment, AttachmentStore } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import type { Secret } from '../contracts/storage.js'
import { AppError } from '../errors.js'
import { decrypt } from '../shared/age.js'
import type { Download, ViewedSecret } from '../shared/api.js'
import { partPassphrase, rawFileKey } from '../shared/keys.js'
import { blobKey } from './blob-key.js'
import { fewAtOnce } from './few.js'
import type { Octets } from './octets.js'
import { storedPartLength } from './service.js'

interface Parts {
  store: AttachmentStore
  files: FileStore | null
  settings: { downloadGraceSeconds: number }
  /** Epoch ms. */
  now: () => number
}

export type DownloadsService = ReturnType<typeof downloadsService>

export function downloadsService({ store, files, settings, now }: Parts) {
  const amongFew = fewAtOnce(now)

  /** Opens a ticket for each file of a viewed secret; `claim` names the view, so its retries get the same tickets. */
  async function open(secret: Secret, claim: string, isUsedUp: boolean): Promise<ViewedSecret['files']> {
    if (secret.files === 0) return []
    const attachments = await store.ofSecret(secret.id, now())
    const end = now() + settings.downloadGraceSeconds * 1000
    const opened = attachments.map((attachment) => ({ attachment, key: ticketOf(claim, attachment.id) }))
    await store.openTickets(
      secret.id,
      opened.map(({ attachment, key }) => ({ hash: ticketHash(key), attachmentId: attachment.id, expiresAt: end })),
      isUsedUp ? end : null,
    )
    return opened.map(({ attachment: { id, size, parts, name, type }, key }) => ({
      ...{ id, size, parts, key },
      ...(name === null ? {} : { name }),
      ...(type === null ? {} : { type }),
    }))
  }

  /** What a ticket is for: one part, or all of them. Of a raw or public secret: the file itself. */
  async function download({ key, secretId, part }: Download): Promise<Octets> {
    const [lookup = '', rawKey] = secretId.split('~')
    const attachment = await store.byTicket(ticketHash(key), now())
    if (!attachment || attachment.secretId !== lookup || !files) throw new AppError('file.not_found')
    const isInline = rawKey !== undefined || attachment.name !== null
    const length = part === undefined ? null : storedPartLength(attachment, part)
    if (part !== undefined && (length === null || (isInline && part !== 0))) {
      throw new AppError('request.invalid', { field: 'part', message: `part: must be less than ${attachment.parts}` })
    }
    return amongFew(ticketHash(key), async () => {
      if (isInline) return inline(files, attachment, rawKey)
      if (part === undefined || length === null) return allParts(files, attachment)
      return { body: await partOf(files, attachment, part), length }
    })
  }

  return { open, download }
}

/** 32 bytes that only who chose the claim can know, base64url: the claim itself would open the other files too. */
const ticketOf = (claim: string, attachmentId: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['mayfly/v1/ticket', claim, attachmentId]))
    .digest('base64url')

const ticketHash = (ticket: string): string => createHash('sha256').update(`mayfly/v1/ticket${ticket}`).digest('hex')

async function inline(files: FileStore, attachment: Attachment, rawKey: string | undefined): Promise<Octets> {
  const stored = await partOf(files, attachment, 0)
  if (rawKey === undefined) return { body: stored, length: attachment.size }
  const passphrase = partPassphrase(rawFileKey(base64urlnopad.decode(rawKey), attachment.id), 0)
  const plain = await decrypt(await buffer(stored), passphrase).catch((cause) => {
    throw new AppError('file.not_found', {}, { cause })
  })
  return { body: Readable.from([plain]), length: plain.length }
}

/** The first part is fetched before anything is answered, so that a store that is down is told as such. */
async function allParts(files: FileStore, attachment: Attachment): Promise<Octets> {
  const first = await partOf(files, attachment, 0)
  async function* framed() {
    for (let index = 0; index < attachment.parts; index++) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(storedPartLength(attachment, index) ?? 0)
      yield length
      yield* index === 0 ? first : await partOf(files, attachment, index)
    }
  }
  const body = Readable.from(framed(), { objectMode: false })
  body.once('close', () => first.destroy())
  return { body, length: attachment.size + 4 * attachment.parts }
}

/** The blob of a part, held to its length: what the store cuts short or draws out fails, and does not pass for the whole. */
async function partOf(files: FileStore, attachment: Attachment, index: number): Promise<Readable> {
  const source = await files.get(blobKey(attachment.blob, index))
  const part = Readable.from(whole(source, storedPartLength(attachment, index) ?? 0), { objectMode: false })
  // It may fail before anybody reads; whoever reads is told then.
  source.on('error', () => {})
  part.once('close', () => source.destroy())
  return part
}

async function* whole(source: Readable, length: number): AsyncGenerator<Buffer, void, void> {
  try {
    yield* exactly(source, length)
  } catch (cause) {
    throw new AppError('file.unavailable', {}, { cause })
  }
}
