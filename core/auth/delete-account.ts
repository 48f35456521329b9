import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { AccountDeps } from './account-deps.js'
import { userDeletedEvents } from './durable-account-events.js'
import { assertOwner, loadSelf } from './verify-caller.js'

/**
 * Deletes the caller's own account with its data and returns its username. Throws AppError `auth.password_wrong`,
 * `auth.sign_in_again` or `user.last_admin`.
 */
export async function deleteOwnAccount(
  deps: AccountDeps,
  { password }: { password?: string | undefined },
  caller: AuthContext,
): Promise<string> {
  const user = await loadSelf(deps, caller)
  await assertOwner(deps, user, { password, field: 'password' }, caller)
  await deleteAccount(deps, user, caller)
  return user.username
}

/** Deletes an account with its data. The caller checks permissions before. Throws AppError `user.last_admin` or `user.not_found`. */
export async function deleteAccount(
  { users, audit, emit, events, cleanUp, now }: AccountDeps,
  { id, username }: User,
  caller: AuthContext,
): Promise<void> {
  if (!(await users.remove(id, now(), userDeletedEvents(events, id)))) throw new AppError('user.not_found')
  await cleanUp(id)
  await audit({ action: caller.userId === id ? 'account.deleted' : 'user.deleted', caller, subject: username })
  await emit('user:deleted', { id, username })
}
