import type { Knex } from 'knex'
import type { OutboxEvent, TokenStore } from '#core'
import { insertToken } from '../operations/insert-token.js'
import { assertSessionExists } from '../queries/assert-session.js'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { deleteExpired } from '../queries/delete-expired.js'
import { lockUser } from '../queries/lock-user.js'
import { insertEvents } from '../queries/new-events.js'
import { newestFirst } from '../queries/newest-first.js'
import { toJoinedUser, toToken, USER_ALIASES } from '../rows/account-rows.js'

export function createTokenStore(db: Knex): TokenStore {
  const selectLive = (now: number) => db('api_tokens').where('api_tokens.expires_at', '>', now)

  return {
    create: ({ token, max, now, events = [], sessionId = null }) =>
      db.transaction(async (tx) => {
        await lockUser(tx, token.userId)
        await assertSessionExists(tx, token.userId, sessionId)
        await insertToken(tx, { token, max, events }, now)
      }),

    async find(id, now) {
      const tokens = selectLive(now).where('api_tokens.id', id).join('users', 'users.id', 'api_tokens.user_id')
      const current = tokens.where('api_tokens.epoch', db.ref('users.epoch'))
      const row = await current.select('api_tokens.*', USER_ALIASES).first()
      return row ? { token: toToken(row), user: toJoinedUser(row) } : null
    },

    async list(userId, now) {
      const rows = await selectLive(now)
        .where({ user_id: userId })
        .modify(whereCurrentEpoch, db, 'api_tokens')
        .orderBy(newestFirst('created_at'))
      return rows.map(toToken)
    },

    remove: (id, userId, events = []) => removeToken(db, { id, userId, events }),

    async markUsed(id, now) {
      await selectLive(now)
        .where({ id })
        .where((earlier) => earlier.whereNull('used_at').orWhere('used_at', '<', now))
        .update({ used_at: now })
    },

    async spend(id, bytes, now) {
      const spent = await selectLive(now)
        .where({ id })
        .where((enough) => enough.whereNull('secrets_left').orWhere('secrets_left', '>', 0))
        .where((enough) => enough.whereNull('bytes_left').orWhere('bytes_left', '>=', bytes))
        .update(quotaChange(db, -1, -bytes))
      return spent === 1
    },

    async refund(id, bytes) {
      await db('api_tokens')
        .where({ id })
        .update(quotaChange(db, 1, bytes))
    },

    deleteExpired: (now, limit) => deleteExpired(db, 'api_tokens', now, limit),
  }
}

interface Removal {
  id: string
  userId: string
  events: OutboxEvent[]
}

async function removeToken(db: Knex, { id, userId, events }: Removal): Promise<boolean> {
  const remove = async (on: Knex) => (await on('api_tokens').where({ id, user_id: userId }).delete()) === 1
  if (events.length === 0) return remove(db)
  return db.transaction(async (tx) => {
    const isRemoved = await remove(tx)
    if (isRemoved) await insertEvents(tx, events)
    return isRemoved
  })
}

/** An unlimited quota is null, and null plus a number stays null. */
const quotaChange = (db: Knex, secrets: number, bytes: number) => ({
  secrets_left: db.raw('secrets_left + ?', [secrets]),
  bytes_left: db.raw('bytes_left + ?', [bytes]),
})
