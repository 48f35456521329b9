/** Viewing: the promise of the product, that of racing readers exactly as many win as there are views. */
import type { Knex } from 'knex'
import type { Secret, SecretStore, ViewedSecret } from '#core'
import { hasViewsLeft, isUsedUp, live, openClaims } from './conditions.js'
import { isDuplicate } from './errors.js'
import { toSecret } from './rows.js'

export function views(db: Knex): Pick<SecretStore, 'view' | 'ack'> {
  async function view(id: string, claimHash: string, now: number, graceMs: number): Promise<ViewedSecret | null> {
    const claim = db('claims').where({ secret_id: id, claim_hash: claimHash })
    let isKnown = false
    try {
      const counted = await count(db, id, claimHash, now, graceMs)
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
    // Its grace is over, so it is a claim like any other.
    await claim.where('expires_at', '<=', now).delete()
    return view(id, claimHash, now, graceMs)
  }

  return {
    view,

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
  }
}

/**
 * The update comes first: it takes the row's lock, so of racing readers only as many get past it as there are views
 * left. That is why no engine needs a statement of its own here. Throws the driver's error for a duplicate, with
 * nothing counted, when the claim has a row already.
 */
function count(db: Knex, id: string, claimHash: string, now: number, graceMs: number): Promise<Secret | null> {
  return db.transaction(async (tx) => {
    const counted = await live(tx('secrets'), now)
      .where({ id })
      .where('locked_until', '<=', now)
      .where(hasViewsLeft)
      .update({ views: tx.raw('views + 1'), failures: 0, locks: 0, locked_until: 0 })
    if (counted === 0) return null
    await tx('claims').insert({ secret_id: id, claim_hash: claimHash, expires_at: now + graceMs, acked: false })
    const secret = toSecret(await withText(tx).where({ id }).first())
    if (isUsedUp(secret)) {
      const sweepAt = Math.min(secret.expiresAt, now + graceMs)
      await tx('secrets').where({ id }).update({ sweep_at: sweepAt })
    }
    return secret
  })
}

const withText = (db: Knex) => db('secrets').join('texts', 'texts.secret_id', 'secrets.id').select('secrets.*', 'text')
