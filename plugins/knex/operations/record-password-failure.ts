import type { Knex } from 'knex'
import type { Attempts } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import { type BatchableWrite, RUN_SINGLE } from '../batching/group-commit.js'
import { hasViewsLeft, whereUnexpired } from '../queries/secret-conditions.js'
import { toSecretMeta } from '../rows/secret-rows.js'

interface FailureInput {
  id: string
  /** Epoch ms. */
  now: number
  lockMs: number
}

/** Counts a wrong password, and locks the secret after `PASSWORD_ATTEMPTS` of them. */
export const recordPasswordFailure = (db: Knex): BatchableWrite<FailureInput, Attempts | null> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  runSingle: (input) => recordSingle(db, input),
  async runBatch({ tx }, inputs) {
    const results: (Attempts | typeof RUN_SINGLE)[] = []
    for (const input of inputs) results.push((await countFailure(tx, input)) ?? RUN_SINGLE)
    return results
  },
})

async function recordSingle(db: Knex, input: FailureInput): Promise<Attempts | null> {
  const counted = await db.transaction((tx) => countFailure(tx, input))
  if (counted) return counted
  const { id, now } = input
  const row = await whereUnexpired(db('secrets'), now)
    .where({ id })
    .where('locked_until', '>', now)
    .where(hasViewsLeft)
    .first()
  return row ? { counted: false, attemptsLeft: 0, lockedUntil: toSecretMeta(row).lockedUntil } : null
}

/** Null when the secret is absent or locked. As in view-secret.ts, the update comes first because it locks the row. */
async function countFailure(tx: Knex.Transaction, { id, now, lockMs }: FailureInput): Promise<Attempts | null> {
  const secret = tx('secrets').where({ id })
  const counted = await whereUnexpired(secret.clone(), now)
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
