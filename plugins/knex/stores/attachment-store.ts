import type { Knex } from 'knex'
import type { Attachment, AttachmentStore, Ticket } from '#core'
import { reserveUpload } from '../operations/reserve-upload.js'
import { correctStoredBytes, deleteFiles, readStoredBytes } from '../queries/stored-bytes.js'
import { toRow } from '../rows/convert-rows.js'
import { toAttachment } from '../rows/secret-rows.js'
import type { Row } from '../rows/tables.js'

export function createAttachmentStore(db: Knex): AttachmentStore {
  return {
    reserve: (attachment, limits, now) => reserveUpload(db, attachment, limits, now),
    find: async (id, now) => toAttachmentOrNull(await selectLive(db, now).where({ id }).first()),
    recordPart: ({ id, index, expiresAt, now }) => recordPart(db, id, index, expiresAt, now),
    listParts: (id, now) =>
      selectLive(db, now)
        .join('attachment_parts', 'attachment_parts.attachment_id', 'attachments.id')
        .where({ id })
        .orderBy('attachment_parts.position')
        .pluck('attachment_parts.position'),
    cancel: async (id, now) =>
      (await selectLive(db, now).where({ id, secret_id: null }).update({ expires_at: now })) === 1,
    cancelAll: (uploader, now) => selectLive(db, now).where({ uploader, secret_id: null }).update({ expires_at: now }),
    listBySecret: async (secretId, now) =>
      (await selectLive(db, now).where({ secret_id: secretId }).orderBy('position')).map(toAttachment),
    createTickets: (secretId, tickets, leaseEnd) => createTickets(db, secretId, tickets, leaseEnd),
    async findByTicket(hash, now) {
      const rows = selectLive(db, now).join('tickets', 'tickets.attachment_id', 'attachments.id')
      return toAttachmentOrNull(await rows.where({ hash }).where('tickets.expires_at', '>', now).first('attachments.*'))
    },
    async endUnused(now) {
      await expireOrphans(db, now)
      await correctStoredBytes(db)
    },
    removeEndedCopies: (now, limit) => removeEndedCopies(db, now, limit),
    async listEnded(now, limit) {
      const ended = selectEnded(db, now).whereNotExists(liveRows(db, now))
      return (await ended.orderBy('expires_at').limit(limit)).map(toAttachment)
    },
    sumBytes: () => readStoredBytes(db),
    remove: (blobs) => deleteFiles(db, blobs),
    filterStored: (blobs) => db('attachments').whereIn('blob', blobs).pluck('blob'),
  }
}

const selectLive = (db: Knex, now: number) => db('attachments').where('attachments.expires_at', '>', now)

const selectEnded = (db: Knex, now: number) => db('attachments').where('attachments.expires_at', '<=', now)

/** Subquery: the rows with the same blobs that have not ended. */
const liveRows = (db: Knex, now: number) =>
  db('attachments as others')
    .where('others.blob', db.ref('attachments.blob'))
    .where('others.expires_at', '>', now)
    .select('others.id')

/** Other rows with the blobs can end meanwhile, but they exist until the blobs are deleted. */
async function removeEndedCopies(db: Knex, now: number, limit: number): Promise<number> {
  const ended = selectEnded(db, now).whereExists(liveRows(db, now))
  const ids: string[] = await ended.orderBy('expires_at').limit(limit).pluck('attachments.id')
  return ids.length === 0 ? 0 : db('attachments').whereIn('id', ids).delete()
}

const toAttachmentOrNull = (row: Row | undefined): Attachment | null => (row ? toAttachment(row) : null)

async function recordPart(db: Knex, id: string, index: number, expiresAt: number, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The update comes first because it locks the row: other transactions cannot end or delete the file meanwhile.
    const updated = await tx('attachments')
      .where({ id })
      .where('expires_at', '>', now)
      .update({ expires_at: tx.raw('case when secret_id is null then ? else expires_at end', [expiresAt]) })
    if (updated === 0) return false
    const part = { attachment_id: id, position: index }
    await tx('attachment_parts').insert(part).onConflict(['attachment_id', 'position']).ignore()
    return true
  })
}

async function createTickets(db: Knex, secretId: string, tickets: Ticket[], leaseEnd: number | null): Promise<void> {
  await db.transaction(async (tx) => {
    if (leaseEnd !== null) {
      const files = tx('attachments').where({ secret_id: secretId }).where('expires_at', '>', leaseEnd)
      await files.update({ expires_at: leaseEnd })
    }
    const rows = tickets.map((ticket) => toRow('tickets', ticket))
    if (rows.length > 0) await tx('tickets').insert(rows).onConflict('hash').ignore()
  })
}

/** Ends files whose tickets have expired and whose secret is deleted, or kept for them without a text. */
async function expireOrphans(db: Knex, now: number): Promise<void> {
  await db('tickets').where('expires_at', '<=', now).delete()
  const text = db('texts').where('texts.secret_id', db.ref('attachments.secret_id'))
  const openTicket = db('tickets')
    .where('tickets.attachment_id', db.ref('attachments.id'))
    .where('tickets.expires_at', '>', now)
  await selectLive(db, now)
    .whereNotNull('secret_id')
    .whereNotExists(text)
    .whereNotExists(openTicket)
    .update({ expires_at: now })
}
