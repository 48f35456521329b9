import type { Knex } from 'knex'
import type { Attachment, UploadLimits, UploadRefusal } from '#core'
import { lockStoredBytes, setStoredBytes } from '../queries/stored-bytes.js'
import { toAttachmentRow } from '../rows/secret-rows.js'

/**
 * `AttachmentStore.reserve`. The limits are counted in the database, so all processes share them. Locking the counter
 * of all bytes first reserves uploads one at a time. Any other order deadlocks on MariaDB when one uploader starts
 * many.
 */
export async function reserveUpload(
  db: Knex,
  attachment: Attachment,
  limits: UploadLimits,
  now: number,
): Promise<UploadRefusal | null> {
  try {
    return await db.transaction((tx) => reserveInTransaction(tx, attachment, limits, now))
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

async function reserveInTransaction(
  tx: Knex.Transaction,
  attachment: Attachment,
  limits: UploadLimits,
  now: number,
): Promise<UploadRefusal | null> {
  const { uploader, size } = attachment
  const stored = await lockStoredBytes(tx)
  const counter = tx('rate_limits').where({ name: uploader })
  await tx('rate_limits').insert({ name: uploader, used: 0, ends_at: 0 }).onConflict('name').ignore()
  const counted = await counter
    .clone()
    .where((hasRoom) => {
      if (limits.bytes === null) return
      hasRoom.whereRaw('(case when ends_at > ? then used else 0 end) + ? <= ?', [now, size, limits.bytes])
    })
    .update({
      used: tx.raw('case when ends_at > ? then used else 0 end + ?', [now, size]),
      ends_at: tx.raw('case when ends_at > ? then ends_at else ? end', [now, now + limits.windowMs]),
    })
  if (counted === 0) {
    const { ends_at: endsAt } = await counter.clone().first('ends_at')
    return { limit: 'bytes', until: Math.max(Number(endsAt), now) }
  }
  if (limits.storedBytes !== null && stored + size > limits.storedBytes) throw new Refused({ limit: 'stored' })
  const open: OpenUpload[] = await tx('attachments')
    .where({ uploader, secret_id: null })
    .where('expires_at', '>', now)
    .orderBy('expires_at')
    .select('expires_at', 'size', 'reserved_for', 'copies_made')
  if (open.length >= limits.open) throw new Refused({ limit: 'open', until: Number(open[0]?.expires_at) })
  const isReserved = (each: OpenUpload) => each.reserved_for === attachment.reservedFor && each.copies_made === 0
  const reserved = open.filter(isReserved)
  const reservedBytes = reserved.reduce((sum, each) => sum + Number(each.size), size)
  if (limits.tokenBytes !== undefined && reservedBytes > limits.tokenBytes) throw new Refused({ limit: 'token' })
  await tx('attachments').insert(toAttachmentRow(attachment))
  await setStoredBytes(tx, stored + size)
  return null
}

interface OpenUpload {
  expires_at: unknown
  size: unknown
  reserved_for: string | null
  copies_made: number
}

/** Thrown to roll back the counters. */
class Refused extends Error {
  constructor(readonly refusal: UploadRefusal) {
    super('upload refused')
  }
}
