/** Reads secrets without their text. Calls that are queued at the same moment share one query. */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { coalesce, type QueuedCall, settleWith } from '../batching/coalesce.js'
import { hasViewsLeft, isUsedUp, openClaims, whereUnexpired } from '../queries/secret-conditions.js'
import { toSecretMeta } from '../rows/secret-rows.js'

interface PeekInput {
  id: string
  /** Epoch ms. */
  now: number
  claimHash: string | undefined
}
type QueuedPeek = QueuedCall<PeekInput, SecretMeta | null>

/** `batchSize`: maximum number of calls in one query. With 1, each call has a query of its own. */
export function createPeekQueue(db: Knex, batchSize: number): (input: PeekInput) => Promise<SecretMeta | null> {
  const enqueue = coalesce<PeekInput, SecretMeta | null>({
    takeBatch: (queue) => queue.splice(0, batchSize),
    async runBatch(batch) {
      if (batch.length > 1) await peekBatch(db, batch)
      else await Promise.all(batch.map((queued) => settleWith(queued, peekSingle(db, queued.input))))
    },
  })
  return (input) => (batchSize === 1 ? peekSingle(db, input) : enqueue(input))
}

async function peekBatch(db: Knex, batch: QueuedPeek[]): Promise<void> {
  const ids = batch.map(({ input }) => input.id)
  try {
    const rows = await db('secrets').whereIn('id', [...new Set(ids)])
    const secrets = new Map(rows.map((row) => [row.id, toSecretMeta(row)]))
    for (const { input, settle } of batch) {
      const secret = secrets.get(input.id)
      if (!secret || secret.expiresAt <= input.now) settle(null)
      else if (!isUsedUp(secret)) settle(secret)
      // A used-up secret exists only for its open claims.
      else settle(input.claimHash ? peekSingle(db, input) : null)
    }
  } catch {
    // One failing call must not fail the others.
    for (const { input, settle } of batch) settle(peekSingle(db, input))
  }
}

async function peekSingle(db: Knex, { id, now, claimHash }: PeekInput): Promise<SecretMeta | null> {
  const row = await whereUnexpired(db('secrets'), now)
    .where({ id })
    .where((either) => {
      either.where(hasViewsLeft)
      if (claimHash) either.orWhereExists(openClaims(db, now).where({ claim_hash: claimHash }))
    })
    .first()
  return row ? toSecretMeta(row) : null
}
