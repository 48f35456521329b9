import type { Knex } from 'knex'
import type { SecretStore } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import { hasViewsLeft, live } from './conditions.js'
import { toSecretMeta } from './rows.js'

export function passwords(db: Knex): Pick<SecretStore, 'passwordFailed'> {
  return {
    async passwordFailed(id, now, lockMs) {
      const counted = await db.transaction((tx) => count(tx, id, now, lockMs))
      if (counted) return counted
      const row = await live(db('secrets'), now)
        .where({ id })
        .where('locked_until', '>', now)
        .where(hasViewsLeft)
        .first()
      return row ? { counted: false, attemptsLeft: 0, lockedUntil: toSecretMeta(row).lockedUntil } : null
    },
  }
}

/** The update comes first, as in views.ts: whoever comes at the same time counts on from there. */
async function count(tx: Knex.Transaction, id: string, now: number, lockMs: number) {
  const secret = tx('secrets').where({ id })
  const counted = await live(secret.clone(), now)
    .where('locked_until', '<=', now)
    .where(hasViewsLeft)
    .increment('failures', 1)
  if (counted === 0) return null
  const { failures, locks } = await secret.clone().first('failures', 'locks')
  if (failures < PASSWORD_ATTEMPTS) {
    return { counted: true, attemptsLeft: PASSWORD_ATTEMPTS - failures, lockedUntil: 0 }
  }
  const lockedUntil = now + lockMs * 2 ** locks
  await secret.update({ failures: 0, locks: locks + 1, locked_until: lockedUntil })
  return { counted: true, attemptsLeft: 0, lockedUntil }
}
