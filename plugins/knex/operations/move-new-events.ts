import type { Knex } from 'knex'
import { isSqlite } from '../connection/batch-transaction.js'
import { lockRow } from '../queries/lock-row.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { toEvents } from '../rows/new-event-rows.js'
import { toOutboxRow } from '../rows/outbox-rows.js'
import type { Row } from '../rows/secret-rows.js'

/** Rows of `new_events` that one transaction moves. Few, because SQLite has one writer. */
const BATCH = 200
/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

/**
 * Moves the events of all changes that were committed before to the outbox, in their order. Call it before a query that may find
 * new events there, and never in a transaction. `maxMs`: time after which it leaves the rest to the next call.
 */
export async function moveNewEvents(db: Knex, maxMs = Number.POSITIVE_INFINITY): Promise<void> {
  const end = performance.now() + maxMs
  // Most calls find none, and need no transaction.
  if (!(await db('new_events').orderBy('seq').first('seq'))) return
  while ((await moveBatch(db)) === BATCH && performance.now() < end);
}

/** The same, if a query of the table `webhooks` finds any. Without webhooks, none of the events is for one. */
export async function moveWebhookEvents(db: Knex, webhooks: Knex.QueryBuilder): Promise<void> {
  if (await webhooks.first('id')) await moveNewEvents(db)
}

/** Returns the number of moved rows. */
function moveBatch(db: Knex): Promise<number> {
  // Without gap locks, which would let changes wait. SQLite has one isolation level only.
  const options: Knex.TransactionConfig = isSqlite(db) ? {} : { isolationLevel: 'read committed' }
  return db.transaction(async (tx) => {
    await lockRow(tx, 'new-events')
    // Without a lock: a locking read of MariaDB is no snapshot, so it could find a change and miss an earlier one of the same secret.
    const rows: Row[] = await tx('new_events').orderBy('seq').limit(BATCH)
    const events = rows.flatMap(toEvents).map(toOutboxRow)
    for (let from = 0; from < events.length; from += CHUNK_SIZE) {
      await tx('outbox').insert(events.slice(from, from + CHUNK_SIZE))
    }
    if (rows.length > 0) assertAllChanged(await deleteRows(tx, rows), rows)
    return rows.length
  }, options)
}

/** By number: a change with a smaller one may be committed later. Returns the number of deleted rows. */
async function deleteRows(tx: Knex.Transaction, rows: Row[]): Promise<number> {
  const moved = rows.map(({ seq }) => seq)
  if (tx.client.dialect !== 'mysql') return tx('new_events').whereIn('seq', moved).delete()
  // With `in`, MySQL and MariaDB read all rows of a small table, also with an index hint, and wait for those that are not committed.
  const batch = moved.map((_, at) => (at === 0 ? 'select ? as seq' : 'select ?')).join(' union all ')
  const [{ affectedRows }] = await tx.raw(
    `delete new_events from (${batch}) as batch straight_join new_events on new_events.seq = batch.seq`,
    moved,
  )
  return affectedRows
}
