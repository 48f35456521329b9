import type { Knex } from 'knex'
import type { SecretStore } from '#core'
import { acknowledging } from './acks.js'
import { batches } from './batch.js'
import { burning } from './burns.js'
import { hasViewsLeft, live } from './conditions.js'
import { creating } from './creates.js'
import { failing } from './passwords.js'
import { peeks } from './peeks.js'
import { toPublicSecret, toSecretMeta } from './rows.js'
import { sweep } from './sweeps.js'
import { viewing } from './views.js'

const NEWEST_FIRST = [
  { column: 'secrets.created_at', order: 'desc' },
  { column: 'secrets.id', order: 'desc' },
]

interface Settings {
  /** Stored before every text; see Engine. */
  margin: string
  /** Most calls in one transaction, or one query. */
  batchSize: number
}

export function secretStore(db: Knex, { margin, batchSize }: Settings): SecretStore {
  const share = batches(db, batchSize)
  const peek = peeks(db, batchSize)
  const [create, view, ack, fail, burn] = [
    creating(db, margin),
    viewing(db),
    acknowledging(db),
    failing(db),
    burning(db),
  ]

  return {
    create: (secret, now, replay, files = []) => share(create, { secret, now, replay, files }),
    peek: (id, now, claimHash) => peek({ id, now, claimHash }),
    view: (id, claimHash, now, graceMs) => share(view, { id, claimHash, now, graceMs }),
    ack: (id, claimHash, now) => share(ack, { id, claimHash, now }),
    passwordFailed: (id, now, lockMs) => share(fail, { id, now, lockMs }),
    burn: (id, now) => share(burn, { id, now }),
    sweep: (now, limit) => sweep(db, now, limit),

    async replay(keyHash, now) {
      const live = db('replays').where({ key_hash: keyHash }).where('expires_at', '>', now)
      return (await live.first('answer'))?.answer ?? null
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

    async countLive(most, now) {
      // Of what is not used up `sweep_at` is when it expires, and has an index.
      const counted = db('secrets').where('sweep_at', '>', now).where(hasViewsLeft).orderBy('sweep_at').limit(most)
      const [row] = await db.from(counted.select('id').as('counted')).count({ count: '*' })
      return Number(row?.count)
    },
  }
}
