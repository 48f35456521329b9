/** External identities of the caller's own account: connect, list, disconnect. */

import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import { storeEvents } from '../events/durable-events.js'
import { AppError, onConflict } from '../lib/errors.js'
import type { Identities } from '../shared/api/index.js'
import { securityFacts } from './account-facts.js'
import { linkIdentity, parseIdentity, verifyEmail } from './resolve-identity.js'
import { LOCAL } from './sign-in.js'

/** Links an identity to the account of a signed-in user. Throws AppError `auth.refused` or `auth.identity_taken`. */
export async function connectIdentity(
  app: App,
  user: User,
  provider: AuthProvider,
  asserted: Identity,
  caller: AuthContext,
): Promise<void> {
  const identity = parseIdentity(asserted)
  const linked = await app.storage.users.findByIdentity({ provider: provider.id, subject: identity.subject })
  if (linked?.id === user.id) return
  await linkIdentity(app, user, identity, { provider, caller }).catch(onConflict('auth.identity_taken'))
  await verifyEmail(app, user, identity)
}

/** The label of a provider that is not configured any more is empty. */
export async function listIdentities(app: App, { userId }: AuthContext): Promise<Identities> {
  const identities = userId === null ? [] : await app.storage.users.listIdentities(userId)
  const ids = [...new Set(identities.map(({ provider }) => provider))]
  const labels = new Map(app.providers().map(({ id, redirect }) => [id, redirect?.label]))
  return ids.map((provider) => ({ provider, label: labels.get(provider) ?? '' }))
}

/**
 * Unlinks a provider from the caller's account and ends all other sessions, because some of them may come from it.
 * Throws AppError `identity.not_found` or `auth.last_way`.
 */
export async function disconnectIdentity(app: App, provider: string, caller: AuthContext): Promise<void> {
  const { userId, username, sessionId } = caller
  if (userId === null) throw new AppError('auth.required')
  const ids = app.providers().map(({ id }) => id)
  const others = { providers: ids, password: ids.includes(LOCAL) }
  if (!(await app.storage.users.unlink({ userId, provider, others, except: sessionId ?? undefined })))
    throw new AppError('identity.not_found')
  await storeEvents(app, securityFacts(userId, 'identity'))
  await app.audit.note({ action: 'account.unlinked', caller, subject: username, detail: { provider } })
}
