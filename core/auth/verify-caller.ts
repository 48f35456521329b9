/** Checks that the caller is the owner of the account, before a change. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import { assertProven } from './proof.js'
import { verifyUserPassword } from './sign-in.js'

/** Loads the user of the caller. Throws AppError `auth.required`. */
export async function loadSelf(app: App, { userId }: AuthContext): Promise<User> {
  const user = userId === null ? null : await app.storage.users.get(userId)
  if (!user) throw new AppError('auth.required')
  return user
}

/**
 * Requires the current password or, for an account without a password, a recent proof. `field`: of the request.
 * Throws AppError `auth.password_wrong` or `auth.proof_required`.
 */
export async function assertOwner(
  app: App,
  user: User,
  { password, field }: { password: string | undefined; field: string },
  caller: AuthContext,
): Promise<void> {
  if (user.passwordHash === null) assertProven(caller, app.now())
  else if (!(await verifyUserPassword(app, user, password ?? ''))) throw new AppError('auth.password_wrong', { field })
}
