/** Acknowledging: a claim has been delivered, and a secret that nobody waits for any more is deleted. */
import type { Knex } from 'knex'
import type { Kind, Shared } from './batch.js'
import { areClaims, hasViewsLeft, isUsedUp, live, openClaims } from './conditions.js'
import { expectChanged } from './locks.js'

interface Ack {
  id: string
  claimHash: string
  /** Epoch ms. */
  now: number
}

export const acknowledging = (db: Knex): Kind<Ack, boolean> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  bytes: () => 0,
  alone: (ack) => ackAlone(db, ack),
  together: ackTogether,
})

async function ackAlone(db: Knex, ack: Ack): Promise<boolean> {
  const { id, now } = ack
  if ((await deliver(db, [ack])) === 0) return false
  // Only now, so that of claims delivered together the last one sees them all.
  const deleted = await live(db('secrets'), now)
    .where({ id })
    .whereNot(hasViewsLeft)
    .whereNotExists(openClaims(db, now))
    .delete()
  return deleted === 1
}

/** The same for claims of different secrets that are locked. */
async function ackTogether({ tx, locked }: Shared, acks: Ack[]): Promise<boolean[]> {
  const claims = await tx('claims').where(areClaims(acks)).select('secret_id')
  await deliver(tx, acks)
  const known = new Set(claims.map((claim) => claim.secret_id))
  const usedUp = acks.filter(({ id, now }) => {
    const secret = locked.get(id)
    return known.has(id) && secret && secret.expiresAt > now && isUsedUp(secret)
  })
  const ids = usedUp.map(({ id }) => id)
  const others = await tx('claims').whereIn('secret_id', ids).where('acked', false).select('secret_id', 'expires_at')
  const gone = usedUp.filter(
    ({ id, now }) => !others.some((claim) => claim.secret_id === id && Number(claim.expires_at) > now),
  )
  const deleted = tx('secrets').whereIn(
    'id',
    gone.map(({ id }) => id),
  )
  expectChanged(await deleted.delete(), gone)
  return acks.map((ack) => gone.includes(ack))
}

/** Until the secret itself expires, so that the claim is not forgotten before and counts anew. */
const deliver = (db: Knex, acks: Ack[]) =>
  db('claims')
    .where(areClaims(acks))
    .update({ acked: true, expires_at: db('secrets').where('id', db.ref('claims.secret_id')).select('expires_at') })
