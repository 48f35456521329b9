import type { Knex } from 'knex'
import type { BatchableWrite, BatchTransaction } from '../batching/group-commit.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { hasViewsLeft, isUsedUp, matchesClaims, openClaims, whereUnexpired } from '../queries/secret-conditions.js'

interface AckInput {
  id: string
  claimHash: string
  /** Epoch ms. */
  now: number
}

/** Acknowledges a claim, and deletes its secret when that is used up and has no open claim left. */
export const ackSecret = (db: Knex): BatchableWrite<AckInput, boolean> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  runSingle: (input) => ackSingle(db, input),
  runBatch: ackBatch,
})

async function ackSingle(db: Knex, input: AckInput): Promise<boolean> {
  const { id, now } = input
  if ((await markAcked(db, [input])) === 0) return false
  // After the update, so that of claims acknowledged at the same moment, the last one sees all others.
  const deleted = await whereUnexpired(db('secrets'), now)
    .where({ id })
    .whereNot(hasViewsLeft)
    .whereNotExists(openClaims(db, now))
    .delete()
  return deleted === 1
}

/** Acknowledges claims of different, locked secrets. */
async function ackBatch({ tx, secrets }: BatchTransaction, inputs: AckInput[]): Promise<boolean[]> {
  const claims = await tx('claims').where(matchesClaims(inputs)).select('secret_id')
  await markAcked(tx, inputs)
  const knownClaims = new Set(claims.map((claim) => claim.secret_id))
  const usedUp = inputs.filter(({ id, now }) => {
    const secret = secrets.get(id)
    return knownClaims.has(id) && secret && secret.expiresAt > now && isUsedUp(secret)
  })
  const ids = usedUp.map(({ id }) => id)
  const others = await tx('claims').whereIn('secret_id', ids).where('acked', false).select('secret_id', 'expires_at')
  const finished = usedUp.filter(
    ({ id, now }) => !others.some((claim) => claim.secret_id === id && Number(claim.expires_at) > now),
  )
  const finishedIds = finished.map(({ id }) => id)
  assertAllChanged(await tx('secrets').whereIn('id', finishedIds).delete(), finished)
  return inputs.map((input) => finished.includes(input))
}

/** Keeps acknowledged claims until their secret expires: a forgotten claim would count as a new view. */
const markAcked = (db: Knex, inputs: AckInput[]) =>
  db('claims')
    .where(matchesClaims(inputs))
    .update({ acked: true, expires_at: db('secrets').where('id', db.ref('claims.secret_id')).select('expires_at') })
