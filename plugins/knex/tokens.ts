import type { Knex } from 'knex'
import { AppError, type TokenStore } from '#core'
import { lockUser, sweepEnded } from './owners.js'
import { OWNER, toOwner, toToken, toTokenRow } from './people-rows.js'

export function tokenStore(db: Knex): TokenStore {
  const live = (now: number) => db('tokens').where('tokens.expires_at', '>', now)

  return {
    create: (token, most, now) =>
      db.transaction(async (tx) => {
        // First, so that of tokens made at once each one counts those before it.
        await lockUser(tx, token.userId)
        const others = await tx('tokens').where({ user_id: token.userId }).where('expires_at', '>', now).pluck('id')
        if (others.length >= most) throw new AppError('storage.conflict')
        await tx('tokens').insert(toTokenRow(token))
      }),

    async find(id, now) {
      const tokens = live(now).where('tokens.id', id).join('users', 'users.id', 'tokens.user_id')
      const row = await tokens.select('tokens.*', OWNER).first()
      return row ? { token: toToken(row), user: toOwner(row) } : null
    },

    async list(userId, now) {
      const rows = await live(now)
        .where({ user_id: userId })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
      return rows.map(toToken)
    },

    remove: async (id, userId) => (await db('tokens').where({ id, user_id: userId }).delete()) === 1,

    async used(id, now) {
      await live(now)
        .where({ id })
        .where((earlier) => earlier.whereNull('used_at').orWhere('used_at', '<', now))
        .update({ used_at: now })
    },

    async spend(id, bytes, now) {
      const spent = await live(now)
        .where({ id })
        .where((enough) => enough.whereNull('secrets_left').orWhere('secrets_left', '>', 0))
        .where((enough) => enough.whereNull('bytes_left').orWhere('bytes_left', '>=', bytes))
        .update(moved(db, -1, -bytes))
      return spent === 1
    },

    async refund(id, bytes) {
      await db('tokens')
        .where({ id })
        .update(moved(db, 1, bytes))
    },

    sweep: (now, limit) => sweepEnded(db, 'tokens', now, limit),
  }
}

/** What is not limited is null, and stays so whatever is added. */
const moved = (db: Knex, secrets: number, bytes: number) => ({
  secrets_left: db.raw('secrets_left + ?', [secrets]),
  bytes_left: db.raw('bytes_left + ?', [bytes]),
})
