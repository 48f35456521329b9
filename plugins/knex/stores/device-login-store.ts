import type { Knex } from 'knex'
import { AppError, type DeviceClaim, type DeviceDecision, type DeviceLoginStore } from '#core'
import { insertToken } from '../operations/insert-token.js'
import { assertSessionExists } from '../queries/assert-session.js'
import { deleteExpired } from '../queries/delete-expired.js'
import { lockUser } from '../queries/lock-user.js'
import { toJoinedUser, USER_ALIASES } from '../rows/account-rows.js'
import { toDeviceLogin, toDeviceLoginRow } from '../rows/device-login-rows.js'

export function createDeviceLoginStore(db: Knex): DeviceLoginStore {
  return {
    async create(login) {
      await db('device_logins').insert(toDeviceLoginRow(login))
    },

    async findPending(userCodeHash, now) {
      const row = await db('device_logins')
        .where({ user_code_hash: userCodeHash, state: 'pending' })
        .where('expires_at', '>', now)
        .first()
      return row ? toDeviceLogin(row) : null
    },

    decide: (decision, now) => db.transaction((tx) => applyDecision(tx, decision, now)),

    async find(hash, now) {
      const row = await db('device_logins')
        .where('device_logins.hash', hash)
        .where('device_logins.expires_at', '>', now)
        .leftJoin('users', 'users.id', 'device_logins.user_id')
        .where((current) =>
          current.whereNull('device_logins.user_id').orWhere('device_logins.epoch', db.ref('users.epoch')),
        )
        .select('device_logins.*', USER_ALIASES)
        .first()
      if (!row) return null
      const { state } = row
      const decision = state === 'approved' ? { state, user: toJoinedUser(row) } : { state }
      return { login: toDeviceLogin(row), decision }
    },

    claim: (claim, now) => db.transaction((tx) => applyClaim(tx, claim, now)),

    deleteExpired: (now, limit) => deleteExpired(db, 'device_logins', now, limit),
  }
}

async function applyDecision(tx: Knex.Transaction, decision: DeviceDecision, now: number): Promise<boolean> {
  const { userCodeHash, userId, epoch, sessionId, approve } = decision
  await lockUser(tx, userId)
  await assertSessionExists(tx, userId, sessionId)
  if (!(await tx('users').where({ id: userId, epoch }).first('id'))) throw new AppError('auth.required')
  const decided = await tx('device_logins')
    .where({ user_code_hash: userCodeHash, state: 'pending' })
    .where('expires_at', '>', now)
    .update({ state: approve ? 'approved' : 'denied', user_id: userId, epoch })
  return decided === 1
}

async function applyClaim(tx: Knex.Transaction, { hash, token, max, events }: DeviceClaim, now: number) {
  const { userId, epoch } = token
  // Before the delete: a lock-out locks in this order.
  await lockUser(tx, userId)
  if (!(await tx('users').where({ id: userId, epoch }).first('id'))) return false
  const claimed = await tx('device_logins')
    .where({ hash, user_id: userId, epoch, state: 'approved' })
    .where('expires_at', '>', now)
    .delete()
  if (claimed === 0) return false
  await insertToken(tx, { token, max, events }, now)
  return true
}
