/** Checks that the caller is the owner of the account, before a change. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { AccountDeps } from './account-deps.js'

/** How long a sign-in counts as recent. */
const RECENT_MS = 10 * 60_000

/** Loads the user of the caller. Throws AppError `auth.required`. */
export async function loadSelf({ users }: Pick<AccountDeps, 'users'>, { userId }: AuthContext): Promise<User> {
  const user = userId === null ? null : await users.get(userId)
  if (!user) throw new AppError('auth.required')
  return user
}

/**
 * Requires the current password or, for an account without a password, a recent sign-in. `field`: of the request. Throws
 * AppError `auth.password_wrong` or `auth.sign_in_again`.
 */
export async function assertOwner(
  deps: AccountDeps,
  user: User,
  { password, field }: { password: string | undefined; field: string },
  caller: AuthContext,
): Promise<void> {
  if (user.passwordHash === null) return assertRecentSignIn(deps, caller)
  if (!(await deps.signIn.verifyUserPassword(user, password ?? '')))
    throw new AppError('auth.password_wrong', { field })
}

/** Throws AppError `auth.sign_in_again`. A reverse proxy authenticates each request, so that always counts as recent. */
export async function assertRecentSignIn(
  { sessions, now }: Pick<AccountDeps, 'sessions' | 'now'>,
  { userId, sessionId, tokenId }: AuthContext,
): Promise<void> {
  if (sessionId === null && tokenId === null) return
  const ownSessions = userId === null ? [] : await sessions.list(userId, now())
  const session = ownSessions.find(({ id }) => id === sessionId)
  if (!session || now() - session.createdAt >= RECENT_MS) throw new AppError('auth.sign_in_again')
}
