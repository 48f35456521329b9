/** What the storage keeps about files, in one process: see index.ts. */
import {
  AppError,
  type Attachment,
  type AttachmentStore,
  type Binding,
  type Counter,
  type Secret,
  type Ticket,
} from '#core'
import { isSame } from './same.js'

interface Entry {
  attachment: Attachment
  /** Its place among the files of the secret. */
  position: number
  stored: Set<number>
}

/** The store, and what the secrets need of it inside their own steps. */
export interface MemoryAttachments {
  store: AttachmentStore
  /** As `SecretStore.create` says; throws before anything has changed. */
  bind(secret: Secret, files: Binding[], now: number): void
  end(secretId: string, now: number): void
}

/** `isThere`: whether a secret has not been deleted. `limits`: what uploaders have used, in bytes. */
export function memoryAttachments(
  isThere: (secretId: string) => boolean,
  limits: Map<string, Counter>,
): MemoryAttachments {
  const entries = new Map<string, Entry>()
  const tickets = new Map<string, Ticket>()

  const live = (id: string, now: number): Entry | undefined => {
    const entry = entries.get(id)
    return entry && entry.attachment.expiresAt > now ? entry : undefined
  }
  const copies = (found: Entry[]): Attachment[] => found.map(({ attachment }) => ({ ...attachment }))
  const ofSecret = (secretId: string, now: number): Entry[] =>
    [...entries.values()]
      .filter(({ attachment }) => attachment.secretId === secretId && attachment.expiresAt > now)
      .sort((a, b) => a.position - b.position)
  const endAt = (found: Entry[], time: number): void => {
    for (const { attachment } of found) attachment.expiresAt = Math.min(attachment.expiresAt, time)
  }

  const store: AttachmentStore = {
    async reserve(attachment, { open, bytes, windowMs }, now) {
      const { uploader, size } = attachment
      const used = limits.get(uploader)
      const current = used && used.endsAt > now ? used : { used: 0, endsAt: now + windowMs }
      if (bytes !== null && current.used + size > bytes) {
        return { limit: 'bytes', until: used && used.endsAt > now ? used.endsAt : now }
      }
      const opened = [...entries.values()]
        .map((entry) => entry.attachment)
        .filter((each) => each.uploader === uploader && each.secretId === null && each.expiresAt > now)
        .map(({ expiresAt }) => expiresAt)
      if (opened.length >= open) return { limit: 'open', until: Math.min(...opened) }
      const isTaken = [...entries.values()].some((entry) => entry.attachment.blob === attachment.blob)
      if (isTaken || entries.has(attachment.id)) throw new AppError('storage.conflict')
      limits.set(uploader, { ...current, used: current.used + size })
      entries.set(attachment.id, { attachment: { ...attachment }, position: 0, stored: new Set() })
      return null
    },
    async find(id, now) {
      return copies([live(id, now) ?? []].flat())[0] ?? null
    },
    async partStored(id, index, expiresAt, now) {
      const entry = live(id, now)
      if (!entry) return false
      entry.stored.add(index)
      if (entry.attachment.secretId === null) entry.attachment.expiresAt = expiresAt
      return true
    },
    async storedParts(id, now) {
      return [...(live(id, now)?.stored ?? [])].sort((a, b) => a - b)
    },
    async cancel(id, now) {
      const entry = live(id, now)
      if (!entry || entry.attachment.secretId !== null) return false
      entry.attachment.expiresAt = now
      return true
    },
    async cancelAll(uploader, now) {
      const open = [...entries.keys()].flatMap((id) => live(id, now) ?? [])
      const theirs = open.filter(({ attachment }) => attachment.uploader === uploader && attachment.secretId === null)
      for (const { attachment } of theirs) attachment.expiresAt = now
      return theirs.length
    },
    async ofSecret(secretId, now) {
      return copies(ofSecret(secretId, now))
    },
    async openTickets(secretId, opened, leaseEnd) {
      if (leaseEnd !== null) endAt(ofSecret(secretId, Number.NEGATIVE_INFINITY), leaseEnd)
      for (const ticket of opened) if (!tickets.has(ticket.hash)) tickets.set(ticket.hash, { ...ticket })
    },
    async byTicket(hash, now) {
      const ticket = tickets.get(hash)
      return ticket && ticket.expiresAt > now ? store.find(ticket.attachmentId, now) : null
    },
    async settle(now) {
      for (const [hash, { expiresAt }] of tickets) if (expiresAt <= now) tickets.delete(hash)
      const ticketed = new Set([...tickets.values()].map(({ attachmentId }) => attachmentId))
      const left = [...entries.values()].filter(
        ({ attachment: { id, secretId } }) => secretId !== null && !isThere(secretId) && !ticketed.has(id),
      )
      endAt(left, now)
    },
    async expired(now, limit) {
      const over = copies([...entries.values()]).filter(({ expiresAt }) => expiresAt <= now)
      return over.sort((a, b) => a.expiresAt - b.expiresAt).slice(0, limit)
    },
    async forget(ids) {
      for (const id of ids) entries.delete(id)
      for (const [hash, { attachmentId }] of tickets) if (ids.includes(attachmentId)) tickets.delete(hash)
    },
    async known(blobs) {
      return [...entries.values()].map(({ attachment }) => attachment.blob).filter((blob) => blobs.includes(blob))
    },
  }

  function bind(secret: Secret, files: Binding[], now: number): void {
    const found = files.map(({ id, tokenHash }, position) => {
      const entry = live(id, now)
      const field = `files.${position}`
      const isHere = entry && entry.attachment.secretId === null && isSame(entry.attachment.tokenHash, tokenHash)
      const isTwice = files.findIndex((file) => file.id === id) !== position
      if (!isHere || isTwice) throw new AppError('file.not_found', { field })
      if (entry.stored.size !== entry.attachment.parts) throw new AppError('file.incomplete', { field })
      return entry
    })
    for (const [position, entry] of found.entries()) {
      Object.assign(entry.attachment, { secretId: secret.id, expiresAt: secret.expiresAt })
      entry.position = position
    }
  }

  return { store, bind, end: (secretId, now) => endAt(ofSecret(secretId, now), now) }
}
