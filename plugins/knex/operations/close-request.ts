import type { Knex } from 'knex'
import { type CloseInput, isOpen, type SecretMeta } from '#core'
import { lockSecrets } from '../queries/lock-secrets.js'
import { insertEvents } from '../queries/new-events.js'
import { recordEnds } from '../queries/record-ends.js'
import { expireFiles } from '../queries/secret-files.js'

/** `RequestStore.close`. */
export function closeRequest(db: Knex, { id, now, toEvents, recordsEnd }: CloseInput): Promise<SecretMeta[] | null> {
  return db.transaction(async (tx) => {
    // The update comes first: a submission that is being stored is complete before the list below is read.
    const live = tx('requests').where({ id }).where('expires_at', '>', now)
    if ((await live.update({ expires_at: now })) === 0) return null
    const ids: string[] = await tx('submissions').where({ request_id: id }).pluck('secret_id')
    const secrets = [...(await lockSecrets(tx, ids)).values()].filter((secret) => isOpen(secret, now))
    const openIds = secrets.map((secret) => secret.id)
    await tx('secrets').whereIn('id', openIds).delete()
    await expireFiles(tx, openIds, now)
    const burned = secrets.map(({ text: _, locks: __, ...meta }) => meta)
    const ends = burned.map((secret) => ({ secret, at: now }))
    if (recordsEnd) await recordEnds(tx, 'burned', ends)
    await insertEvents(tx, toEvents?.(burned) ?? [])
    await tx('requests').where({ id }).delete()
    return burned
  })
}
