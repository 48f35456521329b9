/** The lock by which one process migrates at a time: a row with the time until which it is held. */
import type { Knex } from 'knex'
import { isLostRace } from '../connection/database-errors.js'

/**
 * In ms: when a lock that was never released expires. Only MySQL and MariaDB need it, because each schema change
 * commits there. On the other engines the lock ends with the transaction of a process that died.
 */
const LOCK_MS = 30_000
const RENEW_MS = 10_000

export async function isUnlocked(db: Knex): Promise<boolean> {
  return (await db('migration_lock').where('held_until', '>', 0).first('held_until')) === undefined
}

/**
 * Runs `work` in a transaction that holds the migration lock; returns 'locked' when another process has it. Acquiring
 * the lock is the first statement, and a write: other processes then wait, or find it taken.
 */
export async function runLocked<T>(db: Knex, work: (tx: Knex.Transaction) => Promise<T>): Promise<T | 'locked'> {
  let heldUntil = Date.now() + LOCK_MS
  const ownLock = () => db('migration_lock').where({ held_until: heldUntil })
  const renewal = setInterval(() => {
    const lock = ownLock()
    heldUntil = Date.now() + LOCK_MS
    // Finds nothing while the transaction holds the row, which makes renewing unnecessary.
    lock.update({ held_until: heldUntil }).catch(() => {})
  }, RENEW_MS)
  try {
    return await db.transaction(async (tx) => {
      // A free lock is 0, an abandoned lock has expired.
      const taken = await tx('migration_lock').where('held_until', '<=', Date.now()).update({ held_until: heldUntil })
      if (taken === 0) return 'locked'
      const result = await work(tx)
      await tx('migration_lock').update({ held_until: 0 })
      return result
    })
  } catch (error) {
    // A schema change may have committed the lock.
    const unlocking = ownLock().update({ held_until: 0 })
    await unlocking.catch(() => {})
    if (isLostRace(error)) return 'locked'
    throw error
  } finally {
    clearInterval(renewal)
  }
}
