import type { Knex } from 'knex'
import type { AddFactor } from '#core'
import { assertSessionExists } from '../queries/assert-session.js'
import { endSessions } from '../queries/end-sessions.js'
import { lockUser } from '../queries/lock-user.js'
import { insertEvents } from '../queries/new-events.js'
import { insertRecoveryCodes } from '../queries/recovery-codes.js'

/** `FactorStore.addPasskey` and `addAuthenticator` in a transaction. `insert` runs after the user is locked. */
export async function addFactor(
  tx: Knex.Transaction,
  userId: string,
  { recoveryCodes, keepSession, now, events = [] }: AddFactor,
  insert: () => Promise<void>,
): Promise<boolean> {
  await lockUser(tx, userId)
  await assertSessionExists(tx, userId, keepSession)
  const user = await tx('users').where({ id: userId }).first('second_factor', 'epoch')
  await insert()
  await insertEvents(tx, events)
  if (user.second_factor) return false
  await tx('users').where({ id: userId }).update({ second_factor: true })
  await insertRecoveryCodes(tx, { userId, epoch: Number(user.epoch) }, recoveryCodes)
  await endSessions(tx, userId, keepSession ?? undefined)
  await tx('sessions').where({ user_id: userId }).update({ level: 2, proven_at: now })
  return true
}

/** Deletes rows of factors that name an older epoch: the credential or the slot of the user is free again. */
export async function deleteOutdated(tx: Knex.Transaction, table: string, where: Record<string, string>) {
  const current = tx('users')
    .where('users.id', tx.ref(`${table}.user_id`))
    .select('users.epoch')
  await tx(table).where(where).where(`${table}.epoch`, '<>', current).delete()
}
