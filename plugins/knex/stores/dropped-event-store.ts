import type { Knex } from 'knex'
import { type DroppedEventStore, type DroppedEvents, mergeDropped } from '#core'
import { moveNewEvents } from '../operations/move-new-events.js'
import { toOutboxRow } from '../rows/outbox-rows.js'

/** Attempts to add to a summary that other processes release at the same time. */
const ATTEMPTS = 10

/** The summary of a subscriber has an id of its own while it is counting, so that there is one. */
export function createDroppedEventStore(db: Knex): DroppedEventStore {
  const lockSummary = (tx: Knex.Transaction, subscriber: string) =>
    tx('outbox')
      .where({ id: summaryId(subscriber) })
      .forUpdate()
      .first('data')
  return {
    async countPending(subscriber, max) {
      await moveNewEvents(db)
      const pending = db('outbox').where({ subscriber, state: 'pending' }).select(db.raw('1 as one')).limit(max)
      const row = await db.from(pending.as('waiting')).count({ count: '*' }).first()
      return Number(row?.count)
    },

    async add(subscriber, dropped) {
      // A summary that this transaction creates cannot be released before it ends.
      const addToSummary = (canCreate: boolean) =>
        db.transaction(async (tx) => {
          if (canCreate) await tx('outbox').insert(toEmptySummary(subscriber, dropped)).onConflict('id').ignore()
          const row = await lockSummary(tx, subscriber)
          if (!row) return false
          const data = JSON.stringify(mergeDropped(JSON.parse(row.data), dropped))
          await tx('outbox')
            .where({ id: summaryId(subscriber) })
            .update({ data })
          return true
        })
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await addToSummary(attempt > 0)) return
      }
      throw new Error('the summary of dropped events disappears again and again')
    },

    async release(subscriber, id, now, quietSince) {
      if (
        !(await db('outbox')
          .where({ id: summaryId(subscriber) })
          .first('id'))
      )
        return 'none'
      await moveNewEvents(db)
      return db.transaction(async (tx) => {
        const row = await lockSummary(tx, subscriber)
        if (!row) return 'none'
        const { lastAt }: DroppedEvents = JSON.parse(row.data)
        if (lastAt > quietSince) return 'counting'
        const earlier = tx('outbox').where({ subscriber, state: 'pending' }).where('created_at', '<=', lastAt)
        if (await earlier.first('id')) return 'counting'
        const released = { id, state: 'pending', created_at: now, next_at: now }
        await tx('outbox')
          .where({ id: summaryId(subscriber) })
          .update(released)
        return 'released'
      })
    },
  }
}

const summaryId = (subscriber: string): string => `dropped:${subscriber}`

function toEmptySummary(subscriber: string, { firstAt, lastAt }: DroppedEvents) {
  const data: DroppedEvents = { count: 0, firstAt, lastAt, types: {} }
  const event = { id: summaryId(subscriber), subscriber, subject: `subscriber:${subscriber}` }
  const row = toOutboxRow({ ...event, type: 'events.dropped', data: JSON.stringify(data), createdAt: firstAt })
  return { ...row, state: 'counting' }
}
