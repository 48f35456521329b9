import type { Knex } from 'knex'
import { AppError, type UserWebhook, type UserWebhookStore } from '#core'
import { moveNewEvents, moveWebhookEvents } from '../operations/move-new-events.js'
import { assertSessionExists } from '../queries/assert-session.js'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { deleteWebhookEvents } from '../queries/delete-webhook-events.js'
import { lockUser } from '../queries/lock-user.js'
import { newestFirst } from '../queries/newest-first.js'
import { toWords } from '../rows/convert-rows.js'
import type { Row } from '../rows/tables.js'
import { toWebhook, toWebhookChanges, toWebhookRow } from '../rows/webhook-rows.js'

export function createUserWebhookStore(db: Knex): UserWebhookStore {
  const current = () => selectCurrent(db)
  return {
    create: (webhook, max, sessionId = null) => db.transaction((tx) => createWebhook(tx, webhook, max, sessionId)),

    async list(userId) {
      const rows = await current().where({ user_id: userId }).orderBy(newestFirst('created_at'))
      return rows.map(toWebhook)
    },

    async get(id) {
      const row = await current().where({ id }).first()
      return row ? toWebhook(row) : null
    },

    async update(id, userId, changes) {
      const row = toWebhookChanges(changes)
      const own = () => current().where({ id, user_id: userId })
      if (Object.keys(row).length > 0) await own().update(row)
      const changed = await own().first()
      return changed ? toWebhook(changed) : null
    },

    async remove(id, userId) {
      await moveWebhookEvents(db, db('webhooks').where({ id, user_id: userId }))
      return db.transaction(async (tx) => {
        const own = () => tx('webhooks').where({ id, user_id: userId })
        await deleteWebhookEvents(tx, own())
        return (await own().delete()) === 1
      })
    },

    ...createEventQueries(db),
  }
}

type EventQueries = Pick<UserWebhookStore, 'listTargets' | 'listDue' | 'deleteOrphanedEvents'>

/** Queries of the events of webhooks. */
function createEventQueries(db: Knex): EventQueries {
  const pendingOf = () =>
    db('outbox').where('outbox.state', 'pending').where('outbox.subscriber', db.ref('webhooks.subscriber'))
  return {
    async listTargets() {
      await moveWebhookEvents(db, db('webhooks'))
      const waiting = pendingOf().count('*').as('waiting')
      const rows: Row[] = await selectCurrent(db).select('id', 'user_id', 'types', waiting)
      return rows.map((row) => ({
        id: row.id,
        userId: row.user_id,
        types: toWords(row.types),
        waiting: Number(row.waiting),
      }))
    },

    async listDue(now) {
      await moveWebhookEvents(db, db('webhooks'))
      const due = pendingOf().select(db.raw('1')).where('outbox.next_at', '<=', now)
      return selectCurrent(db).whereExists(due).pluck('id')
    },

    async deleteOrphanedEvents(limit) {
      await moveNewEvents(db)
      const ids: string[] = await db('outbox')
        .where('state', 'pending')
        .where('subscriber', 'like', 'user:%')
        .whereNotExists(db('webhooks').select(db.raw('1')).where('webhooks.subscriber', db.ref('outbox.subscriber')))
        .limit(limit)
        .pluck('id')
      return ids.length === 0 ? 0 : db('outbox').whereIn('id', ids).delete()
    },
  }
}

const selectCurrent = (db: Knex) => db('webhooks').modify(whereCurrentEpoch, db, 'webhooks')

async function createWebhook(
  tx: Knex.Transaction,
  webhook: UserWebhook,
  max: number,
  sessionId: string | null,
): Promise<void> {
  // The lock comes first: of webhooks created at the same moment, each one counts the webhooks before it.
  await lockUser(tx, webhook.userId)
  await assertSessionExists(tx, webhook.userId, sessionId)
  const others = await tx('webhooks').where({ user_id: webhook.userId }).pluck('id')
  if (others.length >= max) throw new AppError('storage.conflict')
  await tx('webhooks').insert(toWebhookRow(webhook))
}
