import type { Knex } from 'knex'
import { AppError, type Attachment, type AttachmentStore, type Binding, type Secret } from '#core'
import { toAttachment } from './rows.js'
import { reserveUpload } from './upload-limits.js'

export function attachmentStore(db: Knex): AttachmentStore {
  const live = (now: number) => db('attachments').where('attachments.expires_at', '>', now)
  const isOpen = (now: number) =>
    db('tickets').where('tickets.attachment_id', db.ref('attachments.id')).where('tickets.expires_at', '>', now)
  const first = (row: unknown): Attachment | null => (row ? toAttachment(row) : null)

  return {
    reserve: (attachment, limits, now) => reserveUpload(db, attachment, limits, now),

    find: async (id, now) => first(await live(now).where({ id }).first()),

    async partStored(id, index, expiresAt, now) {
      return db.transaction(async (tx) => {
        // First, so that nobody ends or forgets it meanwhile.
        const isLive = await tx('attachments')
          .where({ id })
          .where('expires_at', '>', now)
          .update({ expires_at: tx.raw('case when secret_id is null then ? else expires_at end', [expiresAt]) })
        if (isLive === 0) return false
        const part = { attachment_id: id, position: index }
        await tx('attachment_parts').insert(part).onConflict(['attachment_id', 'position']).ignore()
        return true
      })
    },

    storedParts: (id, now) =>
      live(now)
        .join('attachment_parts', 'attachment_parts.attachment_id', 'attachments.id')
        .where({ id })
        .orderBy('attachment_parts.position')
        .pluck('attachment_parts.position'),

    async cancel(id, now) {
      return (await live(now).where({ id, secret_id: null }).update({ expires_at: now })) === 1
    },

    cancelAll: (uploader, now) => live(now).where({ uploader, secret_id: null }).update({ expires_at: now }),

    async ofSecret(secretId, now) {
      return (await live(now).where({ secret_id: secretId }).orderBy('position')).map(toAttachment)
    },

    async openTickets(secretId, tickets, leaseEnd) {
      await db.transaction(async (tx) => {
        if (leaseEnd !== null) {
          const later = tx('attachments').where({ secret_id: secretId }).where('expires_at', '>', leaseEnd)
          await later.update({ expires_at: leaseEnd })
        }
        const rows = tickets.map(({ hash, attachmentId, expiresAt }) => ({
          hash,
          attachment_id: attachmentId,
          expires_at: expiresAt,
        }))
        if (rows.length > 0) await tx('tickets').insert(rows).onConflict('hash').ignore()
      })
    },

    async byTicket(hash, now) {
      const rows = live(now).join('tickets', 'tickets.attachment_id', 'attachments.id')
      return first(await rows.where({ hash }).where('tickets.expires_at', '>', now).first('attachments.*'))
    },

    async settle(now) {
      await db('tickets').where('expires_at', '<=', now).delete()
      const secret = db('secrets').where('secrets.id', db.ref('attachments.secret_id'))
      await live(now)
        .whereNotNull('secret_id')
        .whereNotExists(secret)
        .whereNotExists(isOpen(now))
        .update({ expires_at: now })
    },

    async expired(now, limit) {
      const rows = await db('attachments').where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
      return rows.map(toAttachment)
    },

    async forget(ids) {
      await db('attachments').whereIn('id', ids).delete()
    },

    known: (blobs) => db('attachments').whereIn('blob', blobs).pluck('blob'),
  }
}

/** Makes uploads the secret's own, inside the transaction that creates it. Throws as `SecretStore.create` says. */
export async function bindFiles(tx: Knex, secret: Secret, files: Binding[], now: number): Promise<void> {
  for (const [position, { id, tokenHash }] of files.entries()) {
    const upload = tx('attachments').where({ id, token_hash: tokenHash, secret_id: null }).where('expires_at', '>', now)
    const stored = tx('attachment_parts').where({ attachment_id: id }).count()
    const bound = await upload
      .clone()
      .where('parts', stored)
      .update({ secret_id: secret.id, position, expires_at: secret.expiresAt })
    if (bound === 1) continue
    const reason = (await upload.first('id')) ? 'file.incomplete' : 'file.not_found'
    throw new AppError(reason, { field: `files.${position}` })
  }
}

/** Ends what secrets brought along, together with the secrets. */
export async function endFiles(tx: Knex, secretIds: string[], now: number): Promise<void> {
  await tx('attachments').whereIn('secret_id', secretIds).where('expires_at', '>', now).update({ expires_at: now })
}
