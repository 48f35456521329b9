import type { Knex } from 'knex'
import type { LockOut, User } from '#core'
import { deleteWebhookEvents } from '../queries/delete-webhook-events.js'
import { forgetLastFactor } from '../queries/forget-last-factor.js'
import { lockUser } from '../queries/lock-user.js'
import { insertEvents } from '../queries/new-events.js'
import { toUser } from '../rows/account-rows.js'
import { updateUser } from './update-user.js'

/**
 * `UserStore.lockOut` in a transaction. Call `moveWebhookEvents` before it. Null for another address than `ifEmail`.
 * Throws AppError `user.not_found`.
 */
export async function lockOut(
  tx: Knex.Transaction,
  userId: string,
  { changes, keep, ifEmail, events = [] }: LockOut,
): Promise<User | null> {
  await lockUser(tx, userId)
  if (!(await updateUser(tx, userId, changes, ifEmail === undefined ? {} : { ifEmail }))) return null
  const before = Number((await tx('users').where({ id: userId }).first('epoch')).epoch)
  const epoch = before + 1
  await tx('users').where({ id: userId }).update({ epoch })
  const kept: [table: string, key: string, ids: string[]][] = [
    ['sessions', 'id', keep.sessions ?? []],
    ['api_tokens', 'id', keep.tokens ?? []],
    ['identities', 'hash', keep.identities ?? []],
    ['webhooks', 'id', keep.webhooks ?? []],
    ['passkeys', 'id', keep.factors ?? []],
    ['authenticators', 'user_id', keep.factors?.includes('authenticator') ? [userId] : []],
    ['recovery_codes', 'user_id', keep.factors?.includes('recovery-codes') ? [userId] : []],
    ['one_time_links', 'id', []],
    ['device_logins', 'hash', []],
  ]
  for (const [table, key, ids] of kept) {
    const own = () => tx(table).where({ user_id: userId })
    // Rows of another epoch cannot be kept.
    const lost = () => own().where((either) => either.whereNotIn(key, ids).orWhereNot({ epoch: before }))
    if (table === 'webhooks') await deleteWebhookEvents(tx, lost())
    await lost().delete()
    await own().update({ epoch })
  }
  await forgetLastFactor(tx, userId)
  await insertEvents(tx, events)
  return toUser(await tx('users').where({ id: userId }).first())
}
