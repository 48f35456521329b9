import type { Knex } from 'knex'
import type { OutboxEvent, SecretRequest } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { deleteExpired } from '../queries/delete-expired.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { insertEvents } from '../queries/new-events.js'
import { toRequest } from '../rows/request-rows.js'

interface Batch {
  now: EpochMs
  limit: number
  toEvents: ((request: SecretRequest) => OutboxEvent[]) | undefined
}

/** Deletes as `RequestStore.deleteExpired`. Reads the requests only if events are created from them. */
export async function deleteExpiredRequests(db: Knex, { now, limit, toEvents }: Batch): Promise<number> {
  if (!toEvents) return deleteExpired(db, 'requests', now, limit)
  const ids: string[] = await db('requests')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .pluck('id')
  if (ids.length === 0) return 0
  return db.transaction(async (tx) => {
    // Another process may have deleted them: events are created from the rows that this process locks.
    const rows = await tx('requests').whereIn('id', ids).orderBy('id').forUpdate()
    const locked = rows.map(({ id }) => id)
    assertAllChanged(await tx('requests').whereIn('id', locked).delete(), locked)
    await insertEvents(
      tx,
      rows.flatMap((row) => toEvents(toRequest(row))),
    )
    return locked.length
  })
}
