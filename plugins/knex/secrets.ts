import type { Knex } from 'knex'
import type { Binding, Replay, Secret, SecretStore } from '#core'
import { bindFiles, endFiles } from './attachments.js'
import { hasViewsLeft, live, openClaims } from './conditions.js'
import { isDuplicate } from './errors.js'
import { passwords } from './passwords.js'
import { toPublicSecret, toReplayRow, toSecretMeta, toSecretRow } from './rows.js'
import { sweeps } from './sweeps.js'
import { views } from './views.js'

const NEWEST_FIRST = [
  { column: 'secrets.created_at', order: 'desc' },
  { column: 'secrets.id', order: 'desc' },
]

/** `margin` is stored before every text; see Engine. */
export function secretStore(db: Knex, margin: string): SecretStore {
  async function create(secret: Secret, now: number, replay?: Replay, files: Binding[] = []): Promise<string | null> {
    try {
      await db.transaction(async (tx) => {
        if (replay) await tx('replays').insert(toReplayRow(replay))
        await tx('secrets').insert(toSecretRow(secret))
        await tx('texts').insert({ secret_id: secret.id, margin, text: secret.text })
        await bindFiles(tx, secret, files, now)
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
      return create(secret, now, replay, files)
    }
  }

  return {
    create,
    ...views(db),
    ...passwords(db),
    ...sweeps(db),

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

    async burn(id, now) {
      return db.transaction(async (tx) => {
        const burned = await live(tx('secrets'), now).where({ id }).where(hasViewsLeft).delete()
        if (burned === 1) await endFiles(tx, id, now)
        return burned === 1
      })
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
  }
}
