import type { Knex } from 'knex'
import type { OutboxEvent } from '#core'
import { deleteWebhookEvents } from '../queries/delete-webhook-events.js'
import { assertNotLastAdmin, lockRoles } from '../queries/lock-roles.js'
import { insertEvents } from '../queries/new-events.js'
import { expireFiles } from '../queries/secret-files.js'
import { moveWebhookEvents } from './move-new-events.js'

/** Rows deleted by one statement, so that no statement takes long for users with many secrets. */
const CHUNK_SIZE = 500

/** `UserStore.remove`. Rows that refer to the user are deleted by their foreign keys. */
export async function removeUser(db: Knex, id: string, now: number, events: OutboxEvent[] = []): Promise<boolean> {
  await moveWebhookEvents(db, db('webhooks').where({ user_id: id }))
  return db.transaction(async (tx) => {
    await lockRoles(tx)
    const user = tx('users').where({ id })
    // The lock prevents new secrets of this user, so the list below is complete.
    if (!(await user.clone().forUpdate().first('id'))) return false
    await assertNotLastAdmin(tx, id)
    const secretIds: string[] = await tx('secrets').where({ owner_id: id }).pluck('id')
    for (let from = 0; from < secretIds.length; from += CHUNK_SIZE) {
      const chunk = secretIds.slice(from, from + CHUNK_SIZE)
      await tx('secrets').whereIn('id', chunk).delete()
      await expireFiles(tx, chunk, now)
    }
    await deleteWebhookEvents(tx, tx('webhooks').where({ user_id: id }))
    // Last, when no view or burn of a secret of this user can add one.
    await deleteEndedSecrets(tx, id)
    await insertEvents(tx, events)
    return (await user.delete()) === 1
  })
}

async function deleteEndedSecrets(tx: Knex.Transaction, ownerId: string): Promise<void> {
  const entries = tx('ended_secrets').where({ owner_id: ownerId })
  for (;;) {
    // A locking read also finds rows that were added after the first read of this transaction.
    const ids: string[] = await entries.clone().limit(CHUNK_SIZE).forUpdate().pluck('id')
    if (ids.length > 0) await tx('ended_secrets').whereIn('id', ids).delete()
    if (ids.length < CHUNK_SIZE) return
  }
}
