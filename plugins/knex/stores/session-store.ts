import type { Knex } from 'knex'
import type { FoundSession, Session, SessionStore } from '#core'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { deleteExpired } from '../queries/delete-expired.js'
import { endSessions } from '../queries/end-sessions.js'
import { lockUser } from '../queries/lock-user.js'
import { newestFirst } from '../queries/newest-first.js'
import { toJoinedUser, toSession, toSessionRow, USER_ALIASES } from '../rows/account-rows.js'

export function createSessionStore(db: Knex): SessionStore {
  return {
    open: (session, max, now) => db.transaction((tx) => openSession(tx, session, max, now)),
    find: (tokenHash, now) => findSession(db, tokenHash, now),

    async rotate({ tokenHash, next, graceMs, now }) {
      const rotated = await selectLive(db, now)
        .where({ token_hash: tokenHash })
        .update({
          token_hash: next.tokenHash,
          previous_hash: tokenHash,
          previous_until: now + graceMs,
          expires_at: db.raw('case when ends_at < ? then ends_at else ? end', [next.expiresAt, next.expiresAt]),
        })
      return rotated === 1
    },

    async markSeen(id, now) {
      await selectLive(db, now).where({ id }).where('seen_at', '<', now).update({ seen_at: now })
    },

    async prove(id, { level, at }) {
      const raised = db.raw('case when level < ? then ? else level end', [level, level])
      return (await selectLive(db, at).where({ id }).update({ level: raised, proven_at: at })) === 1
    },

    async list(userId, now) {
      const rows = await selectLive(db, now)
        .where({ user_id: userId })
        .modify(whereCurrentEpoch, db, 'sessions')
        .orderBy(newestFirst('seen_at'))
      return rows.map(toSession)
    },

    end: async (id, userId) => (await db('sessions').where({ id, user_id: userId }).delete()) === 1,
    endAll: (userId, except) => endSessions(db, userId, except),
    deleteExpired: (now, limit) => deleteExpired(db, 'sessions', now, limit),
  }
}

const selectLive = (db: Knex, now: number) => db('sessions').where('sessions.expires_at', '>', now)

async function openSession(tx: Knex.Transaction, session: Session, max: number, now: number): Promise<void> {
  // The lock comes first: of sessions opened at the same moment, each one counts the sessions before it.
  await lockUser(tx, session.userId)
  const ids: string[] = await tx('sessions')
    .where({ user_id: session.userId })
    .where('expires_at', '>', now)
    .orderBy(newestFirst('created_at'))
    .pluck('id')
  const surplus = ids.slice(max - 1)
  if (surplus.length > 0) await tx('sessions').whereIn('id', surplus).delete()
  await tx('sessions').insert(toSessionRow(session))
  await tx('users').where({ id: session.userId }).update({ signed_in_at: session.createdAt })
}

const TOKEN_STATE = `case when token_hash = ? then 'current' when previous_until > ? then 'previous' else 'reused' end`

async function findSession(db: Knex, tokenHash: string, now: number): Promise<FoundSession | null> {
  const row = await selectLive(db, now)
    .where((either) => either.where('token_hash', tokenHash).orWhere('previous_hash', tokenHash))
    .join('users', 'users.id', 'sessions.user_id')
    .where('sessions.epoch', db.ref('users.epoch'))
    .select('sessions.*', USER_ALIASES)
    .select({ token: db.raw(TOKEN_STATE, [tokenHash, now]) })
    .first()
  return row ? { session: toSession(row), user: toJoinedUser(row), token: row.token as FoundSession['token'] } : null
}
