/** A sign-in between its first step, such as the right password, and the second one: an encrypted cookie. */
import type { App } from '../app.js'
import type { User } from '../contracts/users.js'
import { newId } from '../lib/random-token.js'
import { encryptedCookie } from './encrypted-cookie.js'

/** How long a user may take for the second step. */
export const PENDING_MS = 10 * 60_000

interface PendingSignIn {
  id: string
  userId: string
  /** Security epoch of the account: a lock-out also ends this. */
  epoch: number
}

/** Returns the cookie of a user whose first step has succeeded. */
export async function beginPendingSignIn(app: App, { id: userId, epoch }: Pick<User, 'id' | 'epoch'>): Promise<string> {
  const id = newId()
  await app.limits.takeOnce('pending', id, PENDING_MS)
  return cookieOf(app).write({ id, userId, epoch })
}

/**
 * The user of the cookie, with a function that ends it: true for the first call. Null if it is forged, has expired or
 * was used. The cookie alone does not prove a password, because everyone who knows the instance key can create one.
 */
export async function findPendingSignIn(
  app: App,
  cookie: string,
): Promise<{ user: User; end(): Promise<boolean> } | null> {
  const pending = cookieOf(app).read(cookie)
  if (!pending || !(await app.limits.isTaken('pending', pending.id))) return null
  const user = await app.storage.users.get(pending.userId)
  if (!user || user.epoch !== pending.epoch || (await app.limits.isTaken('ended', pending.id))) return null
  return { user, end: () => app.limits.takeOnce('ended', pending.id, PENDING_MS) }
}

const cookieOf = (app: App) => encryptedCookie<PendingSignIn>(app, 'pending-sign-in')
