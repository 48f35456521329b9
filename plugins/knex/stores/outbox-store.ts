import type { Knex } from 'knex'
import type { DeliveryUpdate, OutboxFilter, OutboxStore } from '#core'
import { moveNewEvents } from '../operations/move-new-events.js'
import { insertEvents } from '../queries/new-events.js'
import { toOutboxEntry } from '../rows/outbox-rows.js'
import type { Row } from '../rows/tables.js'

/** In ms, of one `listDue`: after a long outage of all processes, deliveries begin before all events are moved. */
const MOVE_MS = 1000

export function createOutboxStore(db: Knex): OutboxStore {
  const select = (filter: OutboxFilter) => db('outbox').where(matches(filter))
  /** New events are pending, or dead because a queue is full. */
  const moveMatching = async ({ state = 'pending' }: OutboxFilter) => {
    if (state === 'pending' || state === 'dead') await moveNewEvents(db)
  }
  return {
    append: (events) => db.transaction((tx) => insertEvents(tx, events)),

    async listDue(subscriber, now, limit) {
      await moveNewEvents(db, MOVE_MS)
      // `coalesce` leaves the index of `subject` as the only usable one. Without statistics, PostgreSQL would read all
      // waiting events for each event.
      const earlier = db('outbox as earlier')
        .select(db.raw('1'))
        .where('earlier.subject', db.ref('outbox.subject'))
        .where('earlier.seq', '<', db.ref('outbox.seq'))
        .whereRaw("coalesce(earlier.subscriber, '') = outbox.subscriber and coalesce(earlier.state, '') = 'pending'")
      const rows = await db('outbox')
        .where({ subscriber, state: 'pending' })
        .where('next_at', '<=', now)
        .whereNotExists(earlier)
        .orderBy('seq')
        .limit(limit)
      return rows.map(toOutboxEntry)
    },

    async recordAttempts(updates) {
      if ((await recordChanges(db, updates)) === updates.length) return
      // Some events have ended, or were never listed.
      await moveNewEvents(db)
      await recordChanges(db, updates)
    },

    async countPending(subscriber, max) {
      await moveNewEvents(db)
      const pending = db('outbox').where({ subscriber, state: 'pending' }).select(db.raw('1 as one')).limit(max)
      const row = await db.from(pending.as('waiting')).count({ count: '*' }).first()
      return Number(row?.count)
    },

    async list(filter, { skip, take }) {
      await moveMatching(filter)
      const rows = await select(filter).orderBy('seq', 'desc').offset(skip).limit(take)
      return rows.map(toOutboxEntry)
    },

    async redeliver(filter, now) {
      await moveMatching(filter)
      return select(filter).update({ state: 'pending', attempts: 0, next_at: now, ended_at: null })
    },

    async purge(filter, limit) {
      await moveMatching(filter)
      const ids: string[] = await select(filter).orderBy('seq').limit(limit).pluck('id')
      return ids.length === 0 ? 0 : db('outbox').whereIn('id', ids).where(matches(filter)).delete()
    },
  }
}

/** Returns the number of events that were pending. May run twice. */
const recordChanges = (db: Knex, updates: DeliveryUpdate[]): Promise<number> =>
  db.transaction(async (tx) => {
    let changed = 0
    for (const { ids, changes } of groupByChanges(updates)) {
      const pending = tx('outbox').whereIn('id', ids).where('state', 'pending')
      changed += changes === null ? await pending.delete() : await pending.update(changes)
    }
    return changed
  })

interface ChangedEvents {
  ids: string[]
  /** Null: the events are deleted. */
  changes: Row | null
}

/** Most of the events of a batch have the same result, so one statement updates them. */
function groupByChanges(updates: DeliveryUpdate[]): ChangedEvents[] {
  const groups = new Map<string, ChangedEvents>()
  for (const { id, state, attempts, nextAt, endedAt, result, data } of updates) {
    const columns = { state, attempts, next_at: nextAt, ended_at: endedAt, result, ...(data !== undefined && { data }) }
    const changes = data === null ? null : columns
    const key = JSON.stringify(changes)
    const group = groups.get(key) ?? { ids: [] as string[], changes }
    group.ids.push(id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const matches =
  ({ id, subscriber, state, type, result, before }: OutboxFilter) =>
  (query: Knex.QueryBuilder): void => {
    for (const [column, value] of Object.entries({ id, subscriber, state, type, result })) {
      if (value !== undefined) query.where(column, value)
    }
    if (before !== undefined) query.where('created_at', '<', before)
  }
