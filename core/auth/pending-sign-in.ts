/** A sign-in between its first step, such as the right password, and the second one: an encrypted cookie. */
import { createHash } from 'node:crypto'
import type { App } from '../app.js'
import type { User } from '../contracts/users.js'
import { newId } from '../lib/random-token.js'
import { createTextCipher } from '../lib/text-cipher.js'

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
  const pending: PendingSignIn = { id: newId(), userId, epoch }
  await app.limits.takeOnce(markOf(pending), PENDING_MS)
  return cipherOf(app).encrypt(JSON.stringify(pending))
}

/**
 * The user of the cookie, with a function that ends it: true for the first call. Null if it is forged, has expired or
 * was used. The cookie alone does not prove a password, because everyone who knows the instance key can create one.
 */
export async function findPendingSignIn(
  app: App,
  cookie: string,
): Promise<{ user: User; end(): Promise<boolean> } | null> {
  const text = cipherOf(app).decrypt(cookie)
  const pending: PendingSignIn | null = text === null ? null : JSON.parse(text)
  if (!pending || !(await app.limits.isTaken(markOf(pending)))) return null
  const user = await app.storage.users.get(pending.userId)
  if (!user || user.epoch !== pending.epoch || (await app.limits.isTaken(endMarkOf(pending)))) return null
  return { user, end: () => app.limits.takeOnce(endMarkOf(pending), PENDING_MS) }
}

const cipherOf = ({ key }: App) => createTextCipher(key, 'mayfly/v1/pending-sign-in')

const markOf = ({ id }: PendingSignIn): string => `pending${digest(id)}`

const endMarkOf = ({ id }: PendingSignIn): string => `ended${digest(id)}`

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 48)
