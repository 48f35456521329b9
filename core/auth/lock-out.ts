/**
 * Lock-out: ends all access to the account and to events of the user's secrets, except the access that the person chose
 * to keep. No other function does this. Sessions, API tokens, identities, webhooks, links in e-mails and cookies of
 * known devices name the security epoch of the account. A lock-out raises it. Rows and cookies that name another epoch
 * are refused, also if they were not deleted.
 */

import type { App } from '../app.js'
import type { SecurityChange } from '../contracts/outbox.js'
import type { KeptAccess, LockOut, User, UserChanges } from '../contracts/users.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { securityFacts } from './account-facts.js'
import { LOCAL } from './sign-in.js'

interface Options {
  /** For example a new password. */
  changes?: UserChanges
  keep?: KeptAccess
  /** Replaces `UserStore.lockOut`, to do something else in the same transaction. */
  apply?(order: LockOut): Promise<User | null>
}

/**
 * Returns the user after it; null if `apply` did nothing. The caller checks permissions before. Throws AppError
 * `auth.last_way` if the user could not sign in any more, or `user.not_found`.
 */
export async function lockOut(
  app: App,
  user: User,
  { changes = {}, keep = {}, apply = (order) => app.storage.users.lockOut(user.id, order) }: Options,
): Promise<User | null> {
  const providers = app.providers().map(({ id }) => id)
  const hasPassword = (changes.passwordHash ?? user.passwordHash) !== null && providers.includes(LOCAL)
  if (!hasPassword) {
    const kept = (await app.storage.users.listIdentities(user.id)).filter(({ id }) => keep.identities?.includes(id))
    if (!kept.some(({ provider }) => providers.includes(provider))) throw new AppError('auth.last_way')
  }
  const told: SecurityChange[] = [
    changes.passwordHash === undefined ? 'lock-out' : 'password',
    ...(changes.email === undefined ? [] : ['email' as const]),
  ]
  const messages = createEvents(app, securityFacts(user.id, ...told))
  const changed = await apply({ changes, keep, events: messages })
  if (changed) await app.webhooks.invalidate()
  return changed
}
