import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { driverOf, isSqlite } from '../connection/knex-internals.js'
import { insertInChunks } from '../queries/insert-in-chunks.js'
import { lockRow } from '../queries/lock-row.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { toEvents } from '../queries/new-events.js'
import { toOutboxRow } from '../rows/outbox-rows.js'
import type { Row } from '../rows/tables.js'

/** Rows of `new_events` that one transaction moves. Few, because all writes of SQLite wait for it. */
const BATCH = 200
/** In ms. A process that waits for the lock of SQLite retries several times in this time. */
const MIN_PAUSE = 10
/** In ms. A longer pause comes from a clock that was set back. */
const MAX_PAUSE = 1000
/** The row of `leases` that a batch locks. On SQLite, it ends when a pause ends. */
const LOCK = 'new-events'

/**
 * Moves the events of all changes that were committed before to the outbox, in their order. Call it before a query that
 * may find new events there, and never in a transaction. `maxMs`: time after which it leaves the rest to the next call.
 */
export async function moveNewEvents(db: Knex, maxMs = Number.POSITIVE_INFINITY): Promise<void> {
  const end = performance.now() + maxMs
  // Most calls find none, and return without a transaction.
  if (!(await db('new_events').orderBy('seq').first('seq'))) return
  for (;;) {
    const { isLast, pauseMs } = await moveBatch(db)
    if (isLast || performance.now() + pauseMs >= end) return
    await sleep(pauseMs)
  }
}

/** The same, if a query of the table `webhooks` finds any. Without webhooks, there are no events for them. */
export async function moveWebhookEvents(db: Knex, webhooks: Knex.QueryBuilder): Promise<void> {
  if (await webhooks.first('id')) await moveNewEvents(db)
}

interface MovedBatch {
  /** All events that were committed before are moved. */
  isLast: boolean
  /** How long the next batch has to wait. */
  pauseMs: number
}

function moveBatch(db: Knex): Promise<MovedBatch> {
  // Without gap locks, which would let changes wait. SQLite has one isolation level only.
  const options: Knex.TransactionConfig = isSqlite(db) ? {} : { isolationLevel: 'read committed' }
  return db.transaction(async (tx) => {
    const started = Date.now()
    const pauseMs = isSqlite(db) ? await readPause(tx, started) : 0
    if (pauseMs > 0) return { isLast: false, pauseMs }
    await lockRow(tx, LOCK)
    // Without a lock: a locking read of MariaDB does not see a snapshot, so it could find a change and miss an earlier
    // one of the same secret.
    const rows: Row[] = await tx('new_events').orderBy('seq').limit(BATCH)
    const events = rows.flatMap(toEvents).map(toOutboxRow)
    await insertInChunks(events, (chunk) => tx('outbox').insert(chunk))
    if (rows.length > 0) assertAllChanged(await deleteRows(tx, rows), rows)
    const isLast = rows.length < BATCH
    return { isLast, pauseMs: isSqlite(db) && !isLast ? await startPause(tx, started) : 0 }
  }, options)
}

/**
 * After a full batch, the moves of all processes pause for as long as it took, and at least `MIN_PAUSE`. SQLite has one
 * lock for all writes and no queue of waiting processes, so batches without pauses would keep other processes from
 * writing. Returns the pause in ms.
 */
async function startPause(tx: Knex.Transaction, started: number): Promise<number> {
  const pauseMs = Math.min(Math.max(Date.now() - started, MIN_PAUSE), MAX_PAUSE)
  await tx('leases')
    .where({ name: LOCK })
    .update({ ends_at: Date.now() + pauseMs })
  return pauseMs
}

/** Returns the rest of a pause in ms. */
async function readPause(tx: Knex.Transaction, now: number): Promise<number> {
  const row = await tx('leases').where({ name: LOCK }).first('ends_at')
  const pauseMs = Number(row?.ends_at ?? 0) - now
  return pauseMs > 0 && pauseMs <= MAX_PAUSE ? pauseMs : 0
}

/** By number: a change with a smaller number may be committed later. Returns the number of deleted rows. */
async function deleteRows(tx: Knex.Transaction, rows: Row[]): Promise<number> {
  const moved = rows.map(({ seq }) => seq)
  if (driverOf(tx) !== 'mysql2') return tx('new_events').whereIn('seq', moved).delete()
  // With `in`, MySQL and MariaDB read all rows of a small table, also with an index hint, and wait for uncommitted
  // ones.
  const batch = moved.map((_, at) => (at === 0 ? 'select ? as seq' : 'select ?')).join(' union all ')
  const [{ affectedRows }] = await tx.raw(
    `delete new_events from (${batch}) as batch straight_join new_events on new_events.seq = batch.seq`,
    moved,
  )
  return affectedRows
}
