import type { Knex } from 'knex'
import type { User, UserChanges, UserUpdateOptions } from '#core'
import { endSessions } from '../queries/end-sessions.js'
import { assertNotLastAdmin, lockRoles } from '../queries/lock-roles.js'
import { insertEvents } from '../queries/new-events.js'
import { toUser, toUserChanges } from '../rows/account-rows.js'
import type { Row } from '../rows/tables.js'

/** `UserStore.update` in a transaction. */
export async function updateUser(
  tx: Knex.Transaction,
  id: string,
  changes: UserChanges,
  { endSessions: ending, deleteTokens = false, ifEmail, events = [] }: UserUpdateOptions = {},
): Promise<User | null> {
  const { role, suspendedAt } = changes
  if (role !== undefined || suspendedAt !== undefined) await lockRoles(tx)
  if (role === 'user' || typeof suspendedAt === 'number') await assertNotLastAdmin(tx, id)
  const user = tx('users').where({ id })
  const matching = ifEmail === undefined ? user.clone() : user.clone().where({ email: ifEmail })
  if ((await matching.update(changedColumns(tx, changes))) === 0) return null
  if (ending) await endSessions(tx, id, ending.except)
  if (deleteTokens) {
    await tx('api_tokens').where({ user_id: id }).delete()
    // A program would turn an approved login into a token.
    await tx('device_logins').where({ user_id: id }).delete()
  }
  await insertEvents(tx, events)
  return toUser(await user.first())
}

/** Never empty, so that the update always finds and locks the user. */
const changedColumns = (tx: Knex, changes: UserChanges): Row => ({
  must_change_password: tx.ref('must_change_password'),
  ...toUserChanges(changes),
})
