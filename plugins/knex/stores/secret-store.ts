import type { Knex } from 'knex'
import type { Page, PublicSecret, SecretMeta, SecretStore } from '#core'
import { createWriteQueue, createWriteTarget } from '../batching/group-commit.js'
import type { WriteConnections } from '../connection/batch-transaction.js'
import { ackSecret } from '../operations/ack-secret.js'
import { burnSecret } from '../operations/burn-secret.js'
import { changeLimits } from '../operations/change-limits.js'
import { createSecret } from '../operations/create-secret.js'
import { createExpiredDeletion } from '../operations/delete-expired-secrets.js'
import { createPeekQueue } from '../operations/peek-secret.js'
import { recordPasswordFailure } from '../operations/record-password-failure.js'
import { viewSecret } from '../operations/view-secret.js'
import { hasViewsLeft, isBurnable, whereUnexpired } from '../queries/secret-conditions.js'
import { type Row, type TextMargin, toPublicSecret, toSecretMeta } from '../rows/secret-rows.js'

const NEWEST_FIRST = [
  { column: 'secrets.created_at', order: 'desc' },
  { column: 'secrets.id', order: 'desc' },
]

interface Options {
  /** Stored before every text; see Engine. */
  margin: TextMargin
  /** Maximum number of calls in one transaction or query. */
  batchSize: number
  writers: WriteConnections
  /** The engine stores rows in the order of the primary key. */
  isClustered: boolean
}

export function createSecretStore(db: Knex, { margin, batchSize, writers, isClustered }: Options): SecretStore {
  const target = createWriteTarget(writers)
  const run = createWriteQueue(target, batchSize)
  const peek = createPeekQueue(db, batchSize)
  const create = createSecret(db, target, margin)
  return {
    create: (secret, now, record, files = [], events = []) => run(create, { secret, now, record, files, events }),
    peek: (id, now, claimHash) => peek({ id, now, claimHash }),
    view: (id, claimHash, now, graceMs, authorize, toEvents, reader, recordsEnd = false) =>
      run(viewSecret, { id, claimHash, now, graceMs, authorize, toEvents, reader, recordsEnd }),
    ack: (id, claimHash, now) => run(ackSecret, { id, claimHash, now }),
    recordWrongPassword: (id, now, lockMs, toEvents) => run(recordPasswordFailure, { id, now, lockMs, toEvents }),
    peekBurnable: async (id, now) => toMetaOrNull(await db('secrets').where({ id }).where(isBurnable(db, now)).first()),
    burn: (id, now, events = [], recordsEnd = false) => run(burnSecret, { id, now, events, recordsEnd }),
    changeLimits: (id, now, from, to) => run(changeLimits, { id, now, from, to }),
    deleteExpired: createExpiredDeletion(db, isClustered),
    findIdempotencyRecord: (keyHash, now) => findRecord(db, keyHash, now),
    listByOwner: (ownerId, page, now) => listByOwner(db, ownerId, page, now),
    listPublic: ({ username }, page, now) => listPublic(db, username, page, now),
    countLive: (max, now) => countLive(db, max, now),
  }
}

const toMetaOrNull = (row: Row | undefined): SecretMeta | null => (row ? toSecretMeta(row) : null)

async function findRecord(db: Knex, keyHash: string, now: number): Promise<string | null> {
  const row = await db('replays').where({ key_hash: keyHash }).where('expires_at', '>', now).first('answer')
  return row?.answer ?? null
}

async function listByOwner(db: Knex, ownerId: string, { skip, take }: Page, now: number): Promise<SecretMeta[]> {
  const rows = await whereUnexpired(db('secrets'), now)
    .where({ owner_id: ownerId })
    .where(hasViewsLeft)
    .orderBy(NEWEST_FIRST)
    .offset(skip)
    .limit(take)
  return rows.map(toSecretMeta)
}

async function listPublic(
  db: Knex,
  username: string | undefined,
  { skip, take }: Page,
  now: number,
): Promise<PublicSecret[]> {
  const rows = await whereUnexpired(db('secrets'), now)
    .leftJoin('users', 'users.id', 'secrets.owner_id')
    .where({ kind: 'public', ...(username === undefined ? {} : { username }) })
    .where(hasViewsLeft)
    .orderBy(NEWEST_FIRST)
    .offset(skip)
    .limit(take)
    .select('secrets.id', 'title', 'username', 'secrets.created_at', 'expires_at')
  return rows.map(toPublicSecret)
}

async function countLive(db: Knex, max: number, now: number): Promise<number> {
  // `sweep_at`, which has an index, equals `expires_at` for every secret that has views left.
  const counted = db('secrets').where('sweep_at', '>', now).where(hasViewsLeft).orderBy('sweep_at').limit(max)
  const [row] = await db.from(counted.select('id').as('counted')).count({ count: '*' })
  return Number(row?.count)
}
