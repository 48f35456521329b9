import type { Knex } from 'knex'
import type { Replay, Secret, SecretStore, SweptSecret, ViewedSecret } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import { isDuplicate } from './errors.js'
import { toPublicSecret, toReplayRow, toSecret, toSecretMeta, toSecretRow } from './rows.js'

/** `margin` is stored before every text; see Engine. */
export function secretStore(db: Knex, margin: string): SecretStore {
  async function create(secret: Secret, now: number, replay?: Replay): Promise<string | null> {
    try {
      await db.transaction(async (tx) => {
        if (replay) await tx('replays').insert(toReplayRow(replay))
        await tx('secrets').insert(toSecretRow(secret))
        await tx('texts').insert({ secret_id: secret.id, margin, text: secret.text })
      })
      return null
    } catch (error) {
      if (!replay || !isDuplicate(error)) throw error
      const earlier = db('replays').where({ key_hash: replay.keyHash })
      const first = await earlier.clone().where('expires_at', '>', now).first()
      if (first) return first.answer
      if (await db('secrets').where({ id: secret.id }).first('id')) throw error
      // What is in the way has ended. Others may be here too: whoever stores first wins.
      await earlier.where('expires_at', '<=', now).delete()
      return create(secret, now, replay)
    }
  }

  async function view(id: string, claimHash: string, now: number, graceMs: number): Promise<ViewedSecret | null> {
    const claim = db('claims').where({ secret_id: id, claim_hash: claimHash })
    let isKnown = false
    try {
      const counted = await count(id, claimHash, now, graceMs)
      if (counted) return { ...counted, counted: true }
    } catch (error) {
      if (!isDuplicate(error)) throw error
      isKnown = true
    }
    const again = await live(withText(db), now)
      .where({ id })
      .where('locked_until', '<=', now)
      .whereExists(openClaims(db, now).where({ claim_hash: claimHash }))
      .first()
    if (again) return { ...toSecret(again), counted: false }
    if (!isKnown || (await claim.clone().where({ acked: true }).first())) return null
    // A claim whose grace is over is a claim like any other.
    await claim.where('expires_at', '<=', now).delete()
    return view(id, claimHash, now, graceMs)
  }

  /**
   * The update comes first: it takes the row's lock, so of racing readers only as many get past it as there are views
   * left. That is why no engine needs a statement of its own here. A claim that has a row already is a duplicate: the
   * driver's error rolls the count back.
   */
  const count = (id: string, claimHash: string, now: number, graceMs: number): Promise<Secret | null> =>
    db.transaction(async (tx) => {
      const counted = await live(tx('secrets'), now)
        .where({ id })
        .where('locked_until', '<=', now)
        .where(hasViewsLeft)
        .update({ views: tx.raw('views + 1'), failures: 0, locks: 0, locked_until: 0 })
      if (counted === 0) return null
      await tx('claims').insert({ secret_id: id, claim_hash: claimHash, expires_at: now + graceMs, acked: false })
      const secret = toSecret(await withText(tx).where({ id }).first())
      if (isUsedUp(secret)) {
        await tx('secrets')
          .where({ id })
          .update({ sweep_at: Math.min(secret.expiresAt, now + graceMs) })
      }
      return secret
    })

  return {
    create,
    view,

    async peek(id, now, claimHash) {
      const row = await live(db('secrets'), now)
        .where({ id })
        .where((either) => {
          either.where(hasViewsLeft)
          if (claimHash) either.orWhereExists(openClaims(db, now).where({ claim_hash: claimHash }))
        })
        .first()
      return row ? toSecretMeta(row) : null
    },

    async ack(id, claimHash, now) {
      const delivered = await db('claims')
        .where({ secret_id: id, claim_hash: claimHash })
        .update({ acked: true, expires_at: db('secrets').where({ id }).select('expires_at') })
      if (delivered === 0) return false
      // Only now, so that of claims delivered together the last one sees them all.
      const deleted = await live(db('secrets'), now)
        .where({ id })
        .whereNot(hasViewsLeft)
        .whereNotExists(openClaims(db, now))
        .delete()
      return deleted === 1
    },

    async passwordFailed(id, now, lockMs) {
      const attempts = await db.transaction(async (tx) => {
        const counted = await live(tx('secrets'), now)
          .where({ id })
          .where('locked_until', '<=', now)
          .where(hasViewsLeft)
          .increment('failures', 1)
        if (counted === 0) return null
        const { failures, locks } = await tx('secrets').where({ id }).first('failures', 'locks')
        if (failures < PASSWORD_ATTEMPTS) {
          return { counted: true, attemptsLeft: PASSWORD_ATTEMPTS - failures, lockedUntil: 0 }
        }
        const lockedUntil = now + lockMs * 2 ** locks
        await tx('secrets')
          .where({ id })
          .update({ failures: 0, locks: locks + 1, locked_until: lockedUntil })
        return { counted: true, attemptsLeft: 0, lockedUntil }
      })
      if (attempts) return attempts
      const row = await live(db('secrets'), now)
        .where({ id })
        .where('locked_until', '>', now)
        .where(hasViewsLeft)
        .first()
      return row ? { counted: false, attemptsLeft: 0, lockedUntil: Number(row.locked_until) } : null
    },

    async burn(id, now) {
      return (await live(db('secrets'), now).where({ id }).where(hasViewsLeft).delete()) === 1
    },

    async listByOwner(ownerId, { skip, take }, now) {
      const rows = await live(db('secrets'), now)
        .where({ owner_id: ownerId })
        .where(hasViewsLeft)
        .orderBy(NEWEST_FIRST)
        .offset(skip)
        .limit(take)
      return rows.map(toSecretMeta)
    },

    async listPublic({ username }, { skip, take }, now) {
      const rows = await live(db('secrets'), now)
        .leftJoin('users', 'users.id', 'secrets.owner_id')
        .where({ kind: 'public', ...(username === undefined ? {} : { username }) })
        .where(hasViewsLeft)
        .orderBy(NEWEST_FIRST)
        .offset(skip)
        .limit(take)
        .select('secrets.id', 'title', 'username', 'secrets.created_at', 'expires_at')
      return rows.map(toPublicSecret)
    },

    async sweep(now, limit) {
      const due = await db('secrets')
        .where('sweep_at', '<=', now)
        .where((either) => either.where('expires_at', '<=', now).orWhereNotExists(openClaims(db, now)))
        .orderBy('sweep_at')
        .limit(limit)
      const claims = await ended(db('claims'), now, limit).select('secret_id', 'claim_hash')
      const replays = await ended(db('replays'), now, limit).select('key_hash')
      if (due.length + claims.length + replays.length === 0) return []
      // One by one, because no statement that deletes up to a limit, or answers what it deleted, runs on every engine.
      return db.transaction(async (tx) => {
        const swept: SweptSecret[] = []
        for (const secret of due.map(toSecretMeta)) {
          const deleted = await tx('secrets').where({ id: secret.id }).where('sweep_at', '<=', now).delete()
          if (deleted === 1) swept.push({ id: secret.id, expired: !isUsedUp(secret) })
        }
        for (const key of claims) await tx('claims').where(key).where('expires_at', '<=', now).delete()
        for (const key of replays) await tx('replays').where(key).where('expires_at', '<=', now).delete()
        return swept
      })
    },
  }
}

const NEWEST_FIRST = [
  { column: 'secrets.created_at', order: 'desc' },
  { column: 'secrets.id', order: 'desc' },
]

/** Narrows to what has not expired. */
const live = (secrets: Knex.QueryBuilder, now: number) => secrets.where('secrets.expires_at', '>', now)

const hasViewsLeft = (query: Knex.QueryBuilder) =>
  query.where('prevent_burn', true).orWhereNull('max_views').orWhere('views', '<', query.client.ref('max_views'))

const isUsedUp = ({ preventBurn, maxViews, views }: Pick<Secret, 'preventBurn' | 'maxViews' | 'views'>) =>
  !preventBurn && maxViews !== null && views >= maxViews

const withText = (db: Knex) => db('secrets').join('texts', 'texts.secret_id', 'secrets.id').select('secrets.*', 'text')

/** The claims of the secret at hand that may still ask for it again. */
const openClaims = (db: Knex, now: number) =>
  db('claims')
    .where('claims.secret_id', db.ref('secrets.id'))
    .where('claims.acked', false)
    .where('claims.expires_at', '>', now)

const ended = (rows: Knex.QueryBuilder, now: number, limit: number) =>
  rows.where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
