import type { Knex } from 'knex'
import { type DeletedSecret, isUsedUp, type OutboxEvent, type SecretMeta, type SecretStore } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { assertAllChanged, type LockedSecret, lockDueSecrets } from '../queries/lock-secrets.js'
import { insertEvents } from '../queries/new-events.js'
import { recordEnds } from '../queries/record-ends.js'
import { matchesClaims, openClaims } from '../queries/secret-conditions.js'
import { deleteUnlessFilesLive } from '../queries/secret-files.js'
import { endReceipts } from '../queries/write-receipts.js'

/** With more due secrets than this, an engine that stores rows in the order of their ids deletes them in that order. */
const BACKLOG = 10_000

/**
 * Creates `SecretStore.deleteExpired`. `isClustered`: the engine stores rows in the order of the primary key. Ids are
 * random, so secrets that expire one after the other are on different pages. In the order of the ids, each page of a
 * large backlog is read and written once. `backlog`: a pass in that order begins when more secrets than this are due.
 */
export function createExpiredDeletion(db: Knex, isClustered: boolean, backlog = BACKLOG): SecretStore['deleteExpired'] {
  /** The last id of the current pass through a backlog. Null: no such pass. */
  let position: string | null = null
  return async ({ now, limit, toEvents = () => [], recordsEnd = false }) => {
    if (isClustered && position === null && (await hasBacklog(db, now, backlog))) position = ''
    const due = await selectDue(db, now, limit, position)
    if (position !== null) position = due.length < limit ? null : (due.at(-1) ?? null)
    return deleteDue(db, { now, limit, due, toEvents, recordsEnd })
  }
}

async function hasBacklog(db: Knex, now: number, backlog: number): Promise<boolean> {
  const row = await db('secrets').where('cleanup_at', '<=', now).orderBy('cleanup_at').offset(backlog).first('id')
  return row !== undefined
}

/** Ids of due secrets: the first ones by time, or after `position` by id. */
function selectDue(db: Knex, now: number, limit: number, position: string | null): Promise<string[]> {
  const due = db('secrets')
    .where('cleanup_at', '<=', now)
    .where((either) => either.where('expires_at', '<=', now).orWhereNotExists(openClaims(db, now)))
    .limit(limit)
  return (position === null ? due.orderBy('cleanup_at') : due.where('id', '>', position).orderBy('id')).pluck('id')
}

interface Batch {
  now: EpochMs
  limit: number
  /** Ids of secrets to delete. */
  due: string[]
  toEvents(secret: SecretMeta): OutboxEvent[]
  recordsEnd: boolean
}

/** Selects before it deletes, because no form of `delete ... limit` runs on every engine. */
async function deleteDue(db: Knex, { now, limit, due, toEvents, recordsEnd }: Batch): Promise<DeletedSecret[]> {
  const selectExpired = (table: string) => db(table).where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
  const claims = await selectExpired('claims').select({ id: 'secret_id', claimHash: 'claim_hash' })
  const keyHashes: string[] = await selectExpired('idempotency_records').pluck('key_hash')
  if (due.length + claims.length + keyHashes.length === 0) return []
  return db.transaction(async (tx) => {
    // Another process may have deleted them, and an id may have been reused: check again under the lock.
    const secrets = [...(await lockDueSecrets(tx, due, now)).values()]
    const mayHaveFiles = ({ files, expiresAt }: LockedSecret) => files > 0 && expiresAt > now
    const withoutFiles = secrets.filter((secret) => !mayHaveFiles(secret)).map(({ id }) => id)
    if (withoutFiles.length > 0)
      assertAllChanged(await tx('secrets').whereIn('id', withoutFiles).delete(), withoutFiles)
    for (const { id } of secrets.filter(mayHaveFiles)) await deleteUnlessFilesLive(tx, id, now)
    const unread = secrets.filter((secret) => !isUsedUp(secret))
    const ended = unread.map((secret) => ({ secret, at: secret.expiresAt }))
    await endReceipts(tx, 'expired', ended)
    if (recordsEnd) await recordEnds(tx, 'expired', ended)
    await insertEvents(
      tx,
      unread.flatMap(({ text: _, locks: __, ...meta }) => toEvents(meta)),
    )
    const expired = (table: string) => tx(table).where('expires_at', '<=', now)
    if (claims.length > 0) await expired('claims').where(matchesClaims(claims)).delete()
    if (keyHashes.length > 0) await expired('idempotency_records').whereIn('key_hash', keyHashes).delete()
    return secrets.map((secret) => ({ id: secret.id, expired: !isUsedUp(secret) }))
  })
}
