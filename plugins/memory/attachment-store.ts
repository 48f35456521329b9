import {
  AppError,
  type Attachment,
  type AttachmentStore,
  type Binding,
  type Secret,
  type Ticket,
  type UploadLimits,
  type UploadRefusal,
} from '#core'
import { isEqualHash } from './equal-hash.js'
import type { AttachmentEntry, Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createAttachmentStore(tables: Tables): AttachmentStore {
  const { attachments } = tables
  return {
    reserve: async (attachment, limits, now) => reserveUpload(tables, attachment, limits, now),
    find: async (id, now) => findAttachment(tables, id, now),
    recordPart: async (id, index, expiresAt, now) => recordPart(tables, id, index, expiresAt, now),
    listParts: async (id, now) => [...(findLive(tables, id, now)?.parts ?? [])].sort((a, b) => a - b),
    cancel: async (id, now) => cancelUpload(tables, id, now),
    cancelAll: async (uploader, now) => cancelUploadsOf(tables, uploader, now),
    listBySecret: async (secretId, now) => copyAttachments(listFiles(tables, secretId, now)),
    createTickets: async (secretId, tickets, leaseEnd) => createTickets(tables, secretId, tickets, leaseEnd),
    findByTicket: async (hash, now) => findByTicket(tables, hash, now),
    sumBytes: async () => sumSizes(attachments),
    endUnused: async (now) => expireOrphans(tables, now),
    listEnded: async (now, limit) => listExpired(tables, now, limit),
    remove: async (ids) => deleteAttachments(tables, ids),
    filterStored: async (blobs) =>
      [...attachments.values()].map(({ attachment }) => attachment.blob).filter((blob) => blobs.includes(blob)),
  }
}

/** Attaches uploads to a new secret, as `SecretStore.create` specifies. Throws before anything has changed. */
export function attachFiles(tables: Tables, secret: Secret, files: Binding[], now: number): void {
  const uploads = files.map(({ id, tokenHash }, position) => {
    const upload = findLive(tables, id, now)
    const field = `files.${position}`
    const isUsable =
      upload && upload.attachment.secretId === null && isEqualHash(upload.attachment.tokenHash, tokenHash)
    const isDuplicate = files.findIndex((file) => file.id === id) !== position
    if (!isUsable || isDuplicate) throw new AppError('file.not_found', { field })
    if (upload.parts.size !== upload.attachment.parts) throw new AppError('file.incomplete', { field })
    return upload
  })
  for (const [position, upload] of uploads.entries()) {
    Object.assign(upload.attachment, { secretId: secret.id, expiresAt: secret.expiresAt })
    upload.position = position
  }
}

/** Ends the files of a secret at `time`, unless they end earlier. */
export function expireFiles(tables: Tables, secretId: string, time: number): void {
  expireAt(listFiles(tables, secretId, Number.NEGATIVE_INFINITY), time)
}

/** True while a secret has files that have not ended. */
export const hasLiveFiles = (tables: Tables, secretId: string, now: number): boolean =>
  listFiles(tables, secretId, now).length > 0

function reserveUpload(
  { attachments, counters }: Tables,
  attachment: Attachment,
  { open, bytes, windowMs, storedBytes }: UploadLimits,
  now: number,
): UploadRefusal | null {
  const { uploader, size } = attachment
  const counter = counters.get(uploader)
  const current = counter && counter.endsAt > now ? counter : { used: 0, endsAt: now + windowMs }
  if (bytes !== null && current.used + size > bytes) {
    return { limit: 'bytes', until: counter && counter.endsAt > now ? counter.endsAt : now }
  }
  if (storedBytes !== null && sumSizes(attachments) + size > storedBytes) return { limit: 'stored' }
  const entries = [...attachments.values()].map((entry) => entry.attachment)
  const openUntil = entries
    .filter((each) => each.uploader === uploader && each.secretId === null && each.expiresAt > now)
    .map(({ expiresAt }) => expiresAt)
  if (openUntil.length >= open) return { limit: 'open', until: Math.min(...openUntil) }
  const isTaken = entries.some(({ blob }) => blob === attachment.blob)
  if (isTaken || attachments.has(attachment.id)) throw new AppError('storage.conflict')
  counters.set(uploader, { ...current, used: current.used + size })
  attachments.set(attachment.id, { attachment: { ...attachment }, position: 0, parts: new Set() })
  return null
}

function recordPart(tables: Tables, id: string, index: number, expiresAt: number, now: number): boolean {
  const entry = findLive(tables, id, now)
  if (!entry) return false
  entry.parts.add(index)
  if (entry.attachment.secretId === null) entry.attachment.expiresAt = expiresAt
  return true
}

function cancelUpload(tables: Tables, id: string, now: number): boolean {
  const entry = findLive(tables, id, now)
  if (!entry || entry.attachment.secretId !== null) return false
  entry.attachment.expiresAt = now
  return true
}

function cancelUploadsOf(tables: Tables, uploader: string, now: number): number {
  const open = [...tables.attachments.values()].filter(
    ({ attachment }) => attachment.uploader === uploader && attachment.secretId === null && attachment.expiresAt > now,
  )
  for (const { attachment } of open) attachment.expiresAt = now
  return open.length
}

function createTickets(tables: Tables, secretId: string, tickets: Ticket[], leaseEnd: number | null): void {
  if (leaseEnd !== null) expireFiles(tables, secretId, leaseEnd)
  for (const ticket of tickets) if (!tables.tickets.has(ticket.hash)) tables.tickets.set(ticket.hash, { ...ticket })
}

function findByTicket(tables: Tables, hash: string, now: number): Attachment | null {
  const ticket = tables.tickets.get(hash)
  return ticket && ticket.expiresAt > now ? findAttachment(tables, ticket.attachmentId, now) : null
}

/** Ends files whose tickets have expired and whose secret is deleted, or kept only for them. */
function expireOrphans({ attachments, tickets, secrets }: Tables, now: number): void {
  for (const [hash, { expiresAt }] of tickets) if (expiresAt <= now) tickets.delete(hash)
  const downloading = new Set([...tickets.values()].map(({ attachmentId }) => attachmentId))
  const isEnded = (secretId: string) => secrets.get(secretId)?.isKeptForFiles ?? true
  const orphans = [...attachments.values()].filter(
    ({ attachment: { id, secretId } }) => secretId !== null && isEnded(secretId) && !downloading.has(id),
  )
  expireAt(orphans, now)
}

function listExpired({ attachments }: Tables, now: number, limit: number): Attachment[] {
  return copyAttachments([...attachments.values()])
    .filter(({ expiresAt }) => expiresAt <= now)
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .slice(0, limit)
}

function deleteAttachments({ attachments, tickets }: Tables, ids: string[]): void {
  for (const id of ids) attachments.delete(id)
  for (const [hash, { attachmentId }] of tickets) if (ids.includes(attachmentId)) tickets.delete(hash)
}

function findLive({ attachments }: Tables, id: string, now: number): AttachmentEntry | undefined {
  const entry = attachments.get(id)
  return entry && entry.attachment.expiresAt > now ? entry : undefined
}

function findAttachment(tables: Tables, id: string, now: number): Attachment | null {
  const entry = findLive(tables, id, now)
  return entry ? { ...entry.attachment } : null
}

function listFiles({ attachments }: Tables, secretId: string, now: number): AttachmentEntry[] {
  return [...attachments.values()]
    .filter(({ attachment }) => attachment.secretId === secretId && attachment.expiresAt > now)
    .sort((a, b) => a.position - b.position)
}

function expireAt(entries: AttachmentEntry[], time: number): void {
  for (const { attachment } of entries) attachment.expiresAt = Math.min(attachment.expiresAt, time)
}

const sumSizes = (attachments: Tables['attachments']): number =>
  [...attachments.values()].reduce((sum, { attachment }) => sum + attachment.size, 0)

const copyAttachments = (entries: AttachmentEntry[]): Attachment[] =>
  entries.map(({ attachment }) => ({ ...attachment }))
