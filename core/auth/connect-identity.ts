/** External identities of the caller's own account: connect, list, disconnect. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { Identities } from '../shared/api/index.js'
import { type IdentityDeps, linkIdentity, parseIdentity, verifyEmail } from './resolve-identity.js'
import { LOCAL } from './sign-in.js'

/** Links an identity to the account of a signed-in user. Throws AppError `auth.refused` or `auth.identity_taken`. */
export async function connectIdentity(
  deps: IdentityDeps,
  user: User,
  provider: AuthProvider,
  asserted: Identity,
  caller: AuthContext,
): Promise<void> {
  const identity = parseIdentity(asserted)
  const linked = await deps.users.findByIdentity({ provider: provider.id, subject: identity.subject })
  if (linked?.id === user.id) return
  await linkIdentity(deps, user, identity, { provider, caller }).catch((error) => {
    throw isAppError(error, 'storage.conflict') ? new AppError('auth.identity_taken') : error
  })
  await verifyEmail(deps, user, identity)
}

/** The label of a provider that is not configured any more is empty. */
export async function listIdentities(
  { users, getProviders }: IdentityDeps,
  { userId }: AuthContext,
): Promise<Identities> {
  const ids = userId === null ? [] : await users.listProviders(userId)
  const labels = new Map(getProviders().map(({ id, redirect }) => [id, redirect?.label]))
  return ids.map((provider) => ({ provider, label: labels.get(provider) ?? '' }))
}

/**
 * Unlinks a provider from the caller's account and ends all other sessions, because some of them may come from it. Throws
 * AppError `identity.not_found` or `auth.last_way`.
 */
export async function disconnectIdentity(
  { users, getProviders, audit }: IdentityDeps,
  provider: string,
  caller: AuthContext,
): Promise<void> {
  const { userId, username, sessionId } = caller
  if (userId === null) throw new AppError('auth.required')
  const ids = getProviders().map(({ id }) => id)
  const others = { providers: ids, password: ids.includes(LOCAL) }
  const endSessions = sessionId === null ? {} : { except: sessionId }
  if (!(await users.unlink(userId, provider, others, endSessions))) throw new AppError('identity.not_found')
  await audit({ action: 'account.unlinked', caller, subject: username, detail: { provider } })
}
