import type { Knex } from 'knex'
import type { Attempts } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import { ALONE, type Kind, type Shared } from './batch.js'
import { hasViewsLeft, live } from './conditions.js'
import { toSecretMeta } from './rows.js'

interface Failure {
  id: string
  /** Epoch ms. */
  now: number
  lockMs: number
}

export const failing = (db: Knex): Kind<Failure, Attempts | null> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  bytes: () => 0,
  alone: (failure) => failAlone(db, failure),
  async together({ tx }: Shared, failures) {
    const answers: (Attempts | typeof ALONE)[] = []
    for (const failure of failures) answers.push((await count(tx, failure)) ?? ALONE)
    return answers
  },
})

async function failAlone(db: Knex, failure: Failure): Promise<Attempts | null> {
  const counted = await db.transaction((tx) => count(tx, failure))
  if (counted) return counted
  const { id, now } = failure
  const row = await live(db('secrets'), now).where({ id }).where('locked_until', '>', now).where(hasViewsLeft).first()
  return row ? { counted: false, attemptsLeft: 0, lockedUntil: toSecretMeta(row).lockedUntil } : null
}

/** The update comes first, as in views.ts: whoever comes at the same time counts on from there. */
async function count(tx: Knex.Transaction, { id, now, lockMs }: Failure): Promise<Attempts | null> {
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
