import { AppError, type Binding, type Secret } from '#core'
import type { Queries } from '../connection/batch-transaction.js'

/** Attaches uploads to a secret in the transaction that creates it. Throws as `SecretStore.create` specifies. */
export async function attachFiles(tx: Queries, secret: Secret, files: Binding[], now: number): Promise<void> {
  for (const [position, { id, tokenHash }] of files.entries()) {
    const upload = tx('attachments').where({ id, token_hash: tokenHash, secret_id: null }).where('expires_at', '>', now)
    const storedParts = tx('attachment_parts').where({ attachment_id: id }).count()
    const attached = await upload
      .clone()
      .where('parts', storedParts)
      .update({ secret_id: secret.id, position, expires_at: secret.expiresAt })
    if (attached === 1) continue
    const code = (await upload.first('id')) ? 'file.incomplete' : 'file.not_found'
    throw new AppError(code, { field: `files.${position}` })
  }
}

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
