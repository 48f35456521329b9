/** Viewing: the promise of the product, that of racing readers exactly as many win as there are views. */
import type { Knex } from 'knex'
import type { SecretMeta, ViewedSecret } from '#core'
import { ALONE, type Kind, type Shared } from './batch.js'
import { areClaims, hasViewsLeft, isUsedUp, live, openClaims } from './conditions.js'
import { isDuplicate } from './errors.js'
import { expectChanged } from './locks.js'
import { type Row, toSecret } from './rows.js'

interface View {
  id: string
  claimHash: string
  /** Epoch ms. */
  now: number
  graceMs: number
}

export const viewing = (db: Knex): Kind<View, ViewedSecret | null> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  bytes: () => 0,
  alone: (view) => viewAlone(db, view),
  together: viewTogether,
})

async function viewAlone(db: Knex, view: View): Promise<ViewedSecret | null> {
  const { id, claimHash, now } = view
  const claim = db('claims').where({ secret_id: id, claim_hash: claimHash })
  let isKnown = false
  try {
    const counted = await count(db, view)
    if (counted) return counted
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
  // Its grace is over, so it is a claim like any other.
  await claim.where('expires_at', '<=', now).delete()
  return viewAlone(db, view)
}

/**
 * The update comes first: it takes the row's lock, so of racing readers only as many get past it as there are views
 * left. That is why no engine needs a statement of its own here. Throws the driver's error for a duplicate, with
 * nothing counted, when the claim has a row already.
 */
function count(db: Knex, view: View): Promise<ViewedSecret | null> {
  const { id, now, graceMs } = view
  return db.transaction(async (tx) => {
    const secret = tx('secrets').where({ id }).where('locked_until', '<=', now)
    // Once it is used up, sweeping may find it when the grace is over.
    const sweepAt = tx.raw(
      `case when not prevent_burn and views + 1 >= max_views and expires_at > ? then ? else sweep_at end`,
      [now + graceMs, now + graceMs],
    )
    const counted = await live(secret, now).where(hasViewsLeft).update(onceMore(tx, sweepAt))
    if (counted === 0) return null
    await tx('claims').insert(toClaimRow(view))
    return { ...toSecret(await withText(tx).where({ id }).first()), counted: true }
  })
}

/** The same for views of different secrets that are locked, by claims that are new. Others have to run alone. */
async function viewTogether({ tx, locked }: Shared, views: View[]): Promise<(ViewedSecret | typeof ALONE)[]> {
  const claims = await tx('claims').where(areClaims(views)).select('secret_id')
  const known = new Set(claims.map((claim) => claim.secret_id))
  const counting = views.filter((view) => !known.has(view.id) && mayCount(view, locked.get(view.id)))
  if (counting.length === 0) return views.map(() => ALONE)
  const ids = counting.map(({ id }) => id)
  const sweepAt = tx.raw(`case id ${counting.map(() => 'when ? then ?').join(' ')} else sweep_at end`, [
    ...counting.flatMap((view) => [view.id, sweepTime(view, locked.get(view.id) as SecretMeta)]),
  ])
  // The condition is not needed where locks hold; where they would not, nothing is given out.
  const counted = await tx('secrets').whereIn('id', ids).where(hasViewsLeft).update(onceMore(tx, sweepAt))
  expectChanged(counted, counting)
  await tx('claims').insert(counting.map(toClaimRow))
  const rows = await withText(tx).whereIn('id', ids)
  const viewed = new Map(rows.map((row) => [row.id, { ...toSecret(row), counted: true }]))
  return views.map(({ id }) => viewed.get(id) ?? ALONE)
}

/** `sweep_at` comes first: MySQL and MariaDB go by what they have set already, the others by what there was before. */
const onceMore = (tx: Knex, sweepAt: Knex.Raw): Row => ({
  sweep_at: sweepAt,
  views: tx.raw('views + 1'),
  failures: 0,
  locks: 0,
  locked_until: 0,
})

const mayCount = ({ now }: View, secret: SecretMeta | undefined): boolean =>
  secret !== undefined && secret.expiresAt > now && secret.lockedUntil <= now && !isUsedUp(secret)

/** When sweeping may find it after this view. */
function sweepTime({ now, graceMs }: View, secret: SecretMeta): number {
  const isLast = isUsedUp({ ...secret, views: secret.views + 1 })
  return isLast ? Math.min(secret.expiresAt, now + graceMs) : secret.expiresAt
}

const toClaimRow = ({ id, claimHash, now, graceMs }: View): Row => ({
  secret_id: id,
  claim_hash: claimHash,
  expires_at: now + graceMs,
  acked: false,
})

const withText = (db: Knex) => db('secrets').join('texts', 'texts.secret_id', 'secrets.id').select('secrets.*', 'text')
