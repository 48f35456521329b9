import type { Knex } from 'knex'
import type { ListedSecret, Page, PublicSecret, SecretMeta, SecretStore } from '#core'
import { createWriteQueue } from '../batching/group-commit.js'
import type { WriteConnections } from '../connection/batch-transaction.js'
import { ackSecret } from '../operations/ack-secret.js'
import { burnSecret } from '../operations/burn-secret.js'
import { changeLimits } from '../operations/change-limits.js'
import { createSecret } from '../operations/create-secret.js'
import { createExpiredDeletion } from '../operations/delete-expired-secrets.js'
import { createPeekQueue } from '../operations/peek-secret.js'
import { recordPasswordFailure } from '../operations/record-password-failure.js'
import { viewSecret } from '../operations/view-secret.js'
import { newestFirst } from '../queries/newest-first.js'
import { hasViewsLeft, isBurnable, whereUnexpired } from '../queries/secret-conditions.js'
import { toReceipt } from '../rows/receipt-rows.js'
import { type TextMargin, toPublicSecret, toSecretMeta } from '../rows/secret-rows.js'
import type { Row } from '../rows/tables.js'

const NEWEST_FIRST = newestFirst('secrets.created_at', 'secrets.id')

interface Options {
  /** Stored before every text; see Engine. */
  margin: TextMargin
  /** Maximum number of calls in one transaction or query. */
  batchSize: number
  writers: WriteConnections
  /** The engine stores rows in the order of the primary key. */
  isClustered: boolean
  /** See Engine. */
  hasTriggers: boolean
}

export function createSecretStore(
  db: Knex,
  { margin, batchSize, writers, isClustered, hasTriggers }: Options,
): SecretStore {
  const run = createWriteQueue(writers, batchSize, hasTriggers)
  const peek = createPeekQueue(db, batchSize)
  const create = createSecret(db, margin)
  return {
    create: (input) => run({ write: create, input }),
    peek: (id, now, claimHash) => peek({ id, now, claimHash }),
    view: (input) => run({ write: viewSecret, input }),
    ack: (id, claimHash, now) => run({ write: ackSecret, input: { id, claimHash, now } }),
    recordWrongPassword: (input) => run({ write: recordPasswordFailure, input }),
    peekBurnable: async (id, now) => toMetaOrNull(await db('secrets').where({ id }).where(isBurnable(db, now)).first()),
    burn: (input) => run({ write: burnSecret, input }),
    changeLimits: (input) => run({ write: changeLimits, input }),
    deleteExpired: createExpiredDeletion(db, isClustered),
    findIdempotencyRecord: (keyHash, now) => findRecord(db, keyHash, now),
    listByOwner: (ownerId, page, now) => listByOwner(db, ownerId, page, now),
    listPublic: ({ username }, page, now) => listPublic(db, username, page, now),
    countLive: (max, now) => countLive(db, max, now),
  }
}

const toMetaOrNull = (row: Row | undefined): SecretMeta | null => (row ? toSecretMeta(row) : null)

async function findRecord(db: Knex, keyHash: string, now: number): Promise<string | null> {
  const row = await db('idempotency_records')
    .where({ key_hash: keyHash })
    .where('expires_at', '>', now)
    .first('response')
  return row?.response ?? null
}

async function listByOwner(db: Knex, ownerId: string, { skip, take }: Page, now: number): Promise<ListedSecret[]> {
  const rows = await whereUnexpired(db('secrets'), now)
    .where({ owner_id: ownerId })
    .where(hasViewsLeft)
    .orderBy(NEWEST_FIRST)
    .offset(skip)
    .limit(take)
  const receipts = await findReceipts(db, rows)
  const metas: SecretMeta[] = rows.map(toSecretMeta)
  const views = await findRecipientViews(db, metas)
  return metas.map((meta) => {
    const recipientViews = views.get(meta.id)
    const receipt = receipts.get(meta.receiptHash ?? '') ?? null
    return { ...meta, receipt, ...(recipientViews && { recipientViews }) }
  })
}

/** By id of the secret. Without a query if no secret has named recipients. */
async function findRecipientViews(db: Knex, secrets: SecretMeta[]): Promise<Map<string, number[]>> {
  const ids = secrets.filter(({ recipients = 0 }) => recipients > 0).map(({ id }) => id)
  const rows: Row[] = ids.length === 0 ? [] : await db('named_recipients').whereIn('secret_id', ids).orderBy('number')
  const found = new Map<string, number[]>(ids.map((id) => [id, []]))
  for (const { secret_id: id, views } of rows) found.get(id)?.push(views)
  return found
}

/** By hash. Without a query if no secret has a receipt. */
async function findReceipts(db: Knex, secrets: Row[]): Promise<Map<string, NonNullable<ListedSecret['receipt']>>> {
  const hashes = secrets.map((row) => row.receipt_hash).filter((hash) => hash !== null)
  const rows = hashes.length === 0 ? [] : await db('receipts').whereIn('hash', hashes)
  return new Map(
    rows.map((row) => {
      const { viewedAt, wrongPasswords, refusedAddresses } = toReceipt(row, [])
      return [row.hash, { viewedAt, wrongPasswords, refusedAddresses }]
    }),
  )
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
  // `cleanup_at`, which has an index, equals `expires_at` for every secret that has views left.
  const counted = db('secrets').where('cleanup_at', '>', now).where(hasViewsLeft).orderBy('cleanup_at').limit(max)
  const [row] = await db.from(counted.select('id').as('counted')).count({ count: '*' })
  return Number(row?.count)
}
