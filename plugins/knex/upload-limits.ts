/** What uploaders may use, counted in the database so that every process counts the same. */
import type { Knex } from 'knex'
import type { Attachment, Refused, UploadLimits } from '#core'
import { toAttachmentRow } from './rows.js'

/** `AttachmentStore.reserve`. Taking from the limit locks its row, so that one uploader's uploads come one by one. */
export function reserveUpload(
  db: Knex,
  attachment: Attachment,
  limits: UploadLimits,
  now: number,
): Promise<Refused | null> {
  const { uploader, size } = attachment
  return db
    .transaction(async (tx) => {
      const counter = tx('limits').where({ name: uploader })
      await tx('limits').insert({ name: uploader, used: 0, ends_at: 0 }).onConflict('name').ignore()
      const taken = await counter
        .clone()
        .where((fits) => {
          if (limits.bytes === null) return
          fits.whereRaw('(case when ends_at > ? then used else 0 end) + ? <= ?', [now, size, limits.bytes])
        })
        .update({
          used: tx.raw('case when ends_at > ? then used else 0 end + ?', [now, size]),
          ends_at: tx.raw('case when ends_at > ? then ends_at else ? end', [now, now + limits.windowMs]),
        })
      if (taken === 0) {
        const { ends_at: until } = await counter.clone().first('ends_at')
        return { limit: 'bytes', until: Math.max(Number(until), now) } as const
      }
      const open = await tx('attachments')
        .where({ uploader, secret_id: null })
        .where('expires_at', '>', now)
        .orderBy('expires_at')
        .pluck('expires_at')
      if (open.length >= limits.open) throw new TooManyOpen(Number(open[0]))
      await tx('attachments').insert(toAttachmentRow(attachment))
      return null
    })
    .catch((error): Refused => {
      if (error instanceof TooManyOpen) return { limit: 'open', until: error.until }
      throw error
    })
}

/** Thrown, so that what was taken is given back. */
class TooManyOpen extends Error {
  constructor(readonly until: number) {
    super('too many open uploads')
  }
}
