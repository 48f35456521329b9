import { createHash } from 'node:crypto'
import { AppError, type Binding, type CreateInput } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import type { Queries } from '../connection/batch-transaction.js'
import { toAttachment, toAttachmentRow } from '../rows/secret-rows.js'

interface NewFile extends Binding {
  secret: CreateInput['secret']
  /** Among the files of the secret. */
  position: number
  now: EpochMs
}

/**
 * Attaches uploads to secrets in the transaction that creates them. Throws as `SecretStore.create` specifies. Ordered
 * by id, so transactions cannot deadlock.
 */
export async function attachFiles(tx: Queries, inputs: Pick<CreateInput, 'secret' | 'files' | 'now'>[]): Promise<void> {
  const files = inputs.flatMap(({ secret, files = [], now }) =>
    files.map(({ id, tokenHash }, position): NewFile => {
      // Otherwise the upload would be attached twice.
      if (files.findIndex((file) => file.id === id) < position) throw refuse('file.not_found', position)
      return { secret, id, tokenHash, position, now }
    }),
  )
  for (const file of files.sort((a, b) => (a.id < b.id ? -1 : 1))) await attachFile(tx, file)
}

async function attachFile(tx: Queries, { secret, id, tokenHash, position, now }: NewFile): Promise<void> {
  const upload = tx('attachments').where({ id, token_hash: tokenHash, secret_id: null }).where('expires_at', '>', now)
  const complete = upload.clone().where('parts', tx('attachment_parts').where({ attachment_id: id }).count())
  const ofSecret = { secret_id: secret.id, position, expires_at: secret.expiresAt }
  const attached = await complete.clone().where({ copies: 1 }).update(ofSecret)
  if (attached === 1) return
  // The row stays locked, so an upload never exceeds its number of copies.
  const counted = await complete
    .where('copies', '>', 1)
    .where('copies_made', '<', tx.ref('copies'))
    .update({ copies_made: tx.raw('copies_made + 1') })
  if (counted === 0) throw refuse((await upload.first('id')) ? 'file.incomplete' : 'file.not_found', position)
  const counter = toAttachment(await tx('attachments').where({ id }).first())
  const copy = toAttachmentRow({ ...counter, id: copyId(secret.id, id), copiesMade: 0 })
  await tx('attachments').insert({ ...copy, ...ofSecret })
  if (counter.copiesMade === counter.copies) await tx('attachments').where({ id }).update({ expires_at: now })
}

const copyId = (secretId: string, fileId: string): string =>
  createHash('sha256').update(`${secretId} ${fileId}`).digest('hex')

const refuse = (code: 'file.incomplete' | 'file.not_found', position: number) =>
  new AppError(code, { field: `files.${position}` })

/**
 * Deletes a used-up secret whose row is locked. While it has files that have not ended, deletes its text only, so that
 * it can still be burned. True if something was deleted.
 */
export async function deleteUnlessFilesLive(tx: Queries, id: string, now: number): Promise<boolean> {
  const files = tx('attachments').where({ secret_id: id }).where('expires_at', '>', now)
  const { end } = await files.max({ end: 'expires_at' }).first()
  if (end === null) return (await tx('secrets').where({ id }).delete()) === 1
  await tx('secrets')
    .where({ id })
    .update({ cleanup_at: Number(end) })
  return (await tx('texts').where({ secret_id: id }).delete()) === 1
}

/** Ends the files of deleted secrets at `now`. */
export async function expireFiles(tx: Queries, secretIds: string[], now: number): Promise<void> {
  await tx('attachments').whereIn('secret_id', secretIds).where('expires_at', '>', now).update({ expires_at: now })
}
