import type { Knex } from 'knex'
import type { FoundSession, SessionStore } from '#core'
import { lockUser, sweepEnded } from './owners.js'
import { OWNER, toOwner, toSession, toSessionRow } from './people-rows.js'

export function sessionStore(db: Knex): SessionStore {
  const live = (now: number) => db('sessions').where('sessions.expires_at', '>', now)

  return {
    open: (session, most, now) =>
      db.transaction(async (tx) => {
        // First, so that of sessions opened at once each one sees those before it.
        await lockUser(tx, session.userId)
        const others: string[] = await tx('sessions')
          .where({ user_id: session.userId })
          .where('expires_at', '>', now)
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .pluck('id')
        const dropped = others.slice(most - 1)
        if (dropped.length > 0) await tx('sessions').whereIn('id', dropped).delete()
        await tx('sessions').insert(toSessionRow(session))
      }),

    async find(tokenHash, now) {
      const row = await live(now)
        .where((either) => either.where('token_hash', tokenHash).orWhere('previous_hash', tokenHash))
        .join('users', 'users.id', 'sessions.user_id')
        .select('sessions.*', OWNER)
        .select({ token: db.raw(WHICH_TOKEN, [tokenHash, now]) })
        .first()
      return row ? { session: toSession(row), user: toOwner(row), token: row.token as FoundSession['token'] } : null
    },

    async rotate(tokenHash, next, graceMs, now) {
      const rotated = await live(now)
        .where({ token_hash: tokenHash })
        .update({
          token_hash: next.tokenHash,
          previous_hash: tokenHash,
          previous_until: now + graceMs,
          expires_at: db.raw('case when ends_at < ? then ends_at else ? end', [next.expiresAt, next.expiresAt]),
        })
      return rotated === 1
    },

    async seen(id, now) {
      await live(now).where({ id }).where('seen_at', '<', now).update({ seen_at: now })
    },

    async list(userId, now) {
      const rows = await live(now)
        .where({ user_id: userId })
        .orderBy([
          { column: 'seen_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
      return rows.map(toSession)
    },

    end: async (id, userId) => (await db('sessions').where({ id, user_id: userId }).delete()) === 1,
    endAll: (userId, except) => endAll(db, userId, except),
    sweep: (now, limit) => sweepEnded(db, 'sessions', now, limit),
  }
}

const WHICH_TOKEN = `case when token_hash = ? then 'current' when previous_until > ? then 'previous' else 'reused' end`

/** `SessionStore.endAll`, also inside the transaction that changes the user. */
export const endAll = (db: Knex, userId: string, except = ''): Promise<number> =>
  db('sessions').where({ user_id: userId }).whereNot('id', except).delete()
