/** Checks that the caller is the owner of the account, before a change. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import { verifyUserPassword } from './sign-in.js'

/** How long a sign-in counts as recent. */
const RECENT_MS = 10 * 60_000

/** Loads the user of the caller. Throws AppError `auth.required`. */
export async function loadSelf(app: App, { userId }: AuthContext): Promise<User> {
  const user = userId === null ? null : await app.storage.users.get(userId)
  if (!user) throw new AppError('auth.required')
  return user
}

/**
 * Requires the current password or, for an account without a password, a recent sign-in. `field`: of the request.
 * Throws AppError `auth.password_wrong` or `auth.sign_in_again`.
 */
export async function assertOwner(
  app: App,
  user: User,
  { password, field }: { password: string | undefined; field: string },
  caller: AuthContext,
): Promise<void> {
  if (user.passwordHash === null) return assertRecentSignIn(app, caller)
  if (!(await verifyUserPassword(app, user, password ?? ''))) throw new AppError('auth.password_wrong', { field })
}

/**
 * Throws AppError `auth.sign_in_again`. A reverse proxy authenticates each request, so that always counts as recent.
 */
export async function assertRecentSignIn(app: App, { userId, sessionId, tokenId }: AuthContext): Promise<void> {
  if (sessionId === null && tokenId === null) return
  const ownSessions = userId === null ? [] : await app.storage.sessions.list(userId, app.now())
  const session = ownSessions.find(({ id }) => id === sessionId)
  if (!session || app.now() - session.createdAt >= RECENT_MS) throw new AppError('auth.sign_in_again')
}
