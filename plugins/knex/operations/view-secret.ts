/** The main guarantee of the product: however many callers race, a secret is viewed at most `maxViews` times. */
import type { Knex } from 'knex'
import type { SecretMeta, ViewedSecret } from '#core'
import { type BatchableWrite, type BatchTransaction, RUN_SINGLE } from '../batching/group-commit.js'
import { isDuplicate } from '../connection/database-errors.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { hasViewsLeft, isUsedUp, matchesClaims, openClaims, whereUnexpired } from '../queries/secret-conditions.js'
import { type Row, toSecret } from '../rows/secret-rows.js'

interface ViewInput {
  id: string
  claimHash: string
  /** Epoch ms. */
  now: number
  graceMs: number
}

export const viewSecret = (db: Knex): BatchableWrite<ViewInput, ViewedSecret | null> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  runSingle: (input) => viewSingle(db, input),
  runBatch: viewBatch,
})

async function viewSingle(db: Knex, input: ViewInput): Promise<ViewedSecret | null> {
  const { id, claimHash, now } = input
  const claim = db('claims').where({ secret_id: id, claim_hash: claimHash })
  let isKnownClaim = false
  try {
    const counted = await countView(db, input)
    if (counted) return counted
  } catch (error) {
    if (!isDuplicate(error)) throw error
    isKnownClaim = true
  }
  const repeated = await whereUnexpired(selectWithText(db), now)
    .where({ id })
    .where('locked_until', '<=', now)
    .whereExists(openClaims(db, now).where({ claim_hash: claimHash }))
    .first()
  if (repeated) return { ...toSecret(repeated), counted: false }
  if (!isKnownClaim || (await claim.clone().where({ acked: true }).first())) return null
  // The claim's grace period is over: it counts as a new claim.
  await claim.where('expires_at', '<=', now).delete()
  return viewSingle(db, input)
}

/**
 * Counts a view by a conditional update. The update comes before any read because it locks the row: of racing callers, only
 * as many get past it as there are views left, on every engine. Throws the driver's error for a duplicate, with nothing
 * counted, when the claim exists.
 */
function countView(db: Knex, input: ViewInput): Promise<ViewedSecret | null> {
  const { id, now, graceMs } = input
  return db.transaction(async (tx) => {
    const secret = tx('secrets').where({ id }).where('locked_until', '<=', now)
    // A used-up secret may be swept when the grace period is over.
    const sweepAt = tx.raw(
      `case when not prevent_burn and views + 1 >= max_views and expires_at > ? then ? else sweep_at end`,
      [now + graceMs, now + graceMs],
    )
    const counted = await whereUnexpired(secret, now).where(hasViewsLeft).update(viewColumns(tx, sweepAt))
    if (counted === 0) return null
    await tx('claims').insert(toClaimRow(input))
    return { ...toSecret(await selectWithText(tx).where({ id }).first()), counted: true }
  })
}

/** Counts views of different, locked secrets by new claims. The others must run alone. */
async function viewBatch(
  { tx, secrets }: BatchTransaction,
  inputs: ViewInput[],
): Promise<(ViewedSecret | typeof RUN_SINGLE)[]> {
  const claims = await tx('claims').where(matchesClaims(inputs)).select('secret_id')
  const knownClaims = new Set(claims.map((claim) => claim.secret_id))
  const countable = inputs.filter((input) => !knownClaims.has(input.id) && isViewable(input, secrets.get(input.id)))
  if (countable.length === 0) return inputs.map(() => RUN_SINGLE)
  const ids = countable.map(({ id }) => id)
  const sweepAt = tx.raw(`case id ${countable.map(() => 'when ? then ?').join(' ')} else sweep_at end`, [
    ...countable.flatMap((input) => [input.id, sweepTime(input, secrets.get(input.id) as SecretMeta)]),
  ])
  // The row locks make the condition redundant. It stays as a second barrier: without locks, no extra view is given.
  const counted = await tx('secrets').whereIn('id', ids).where(hasViewsLeft).update(viewColumns(tx, sweepAt))
  assertAllChanged(counted, countable)
  await tx('claims').insert(countable.map(toClaimRow))
  const rows = await selectWithText(tx).whereIn('id', ids)
  const viewed = new Map(rows.map((row) => [row.id, { ...toSecret(row), counted: true }]))
  return inputs.map(({ id }) => viewed.get(id) ?? RUN_SINGLE)
}

/** `sweep_at` comes first: MySQL and MariaDB evaluate assignments in order, the other engines use the old values. */
const viewColumns = (tx: Knex, sweepAt: Knex.Raw): Row => ({
  sweep_at: sweepAt,
  views: tx.raw('views + 1'),
  failures: 0,
  locks: 0,
  locked_until: 0,
})

const isViewable = ({ now }: ViewInput, secret: SecretMeta | undefined): boolean =>
  secret !== undefined && secret.expiresAt > now && secret.lockedUntil <= now && !isUsedUp(secret)

/** When the secret may be swept after this view, epoch ms. */
function sweepTime({ now, graceMs }: ViewInput, secret: SecretMeta): number {
  const isLastView = isUsedUp({ ...secret, views: secret.views + 1 })
  return isLastView ? Math.min(secret.expiresAt, now + graceMs) : secret.expiresAt
}

const toClaimRow = ({ id, claimHash, now, graceMs }: ViewInput): Row => ({
  secret_id: id,
  claim_hash: claimHash,
  expires_at: now + graceMs,
  acked: false,
})

const selectWithText = (db: Knex) =>
  db('secrets').join('texts', 'texts.secret_id', 'secrets.id').select('secrets.*', 'text')
