/** Lists the access that a lock-out ends: everything by which programs, other sites and devices can act as a user. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Factors } from '../contracts/factors.js'
import type { Access } from '../shared/api/index.js'
import { loadSelf } from './verify-caller.js'

/**
 * The label of a provider that is not configured any more is empty. A webhook shows its host, because paths may contain
 * credentials.
 */
export async function listAccess(app: App, userId: string): Promise<Access> {
  const at = app.now()
  const { users, sessions: openSessions, tokens: apiTokens, userWebhooks, factors } = app.storage
  const labels = new Map(app.providers().map(({ id, redirect }) => [id, redirect?.label]))
  const [sessions, tokens, identities, webhooks, owned] = await Promise.all([
    openSessions.list(userId, at),
    apiTokens.list(userId, at),
    users.listIdentities(userId),
    userWebhooks.list(userId),
    factors.list(userId),
  ])
  return {
    sessions: sessions.map(({ id, client, createdAt, seenAt }) => ({ id, client, createdAt, seenAt })),
    tokens: tokens.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt })),
    identities: identities.map((identity) => ({ ...identity, label: labels.get(identity.provider) ?? '' })),
    webhooks: webhooks.map(({ id, name, url, createdAt }) => ({ id, name, host: new URL(url).host, createdAt })),
    factors: listFactorAccess(owned),
  }
}

/** Ids of everything that `KeptAccess.factors` can keep. */
export const listFactorIds = async ({ storage }: App, userId: string): Promise<string[]> =>
  listFactorAccess(await storage.factors.list(userId)).map(({ id }) => id)

function listFactorAccess({ passkeys, authenticator, recoveryCodes }: Factors): Access['factors'] {
  const listed: Access['factors'] = passkeys.map(({ id, name, createdAt, usedAt }) => {
    return { id, kind: 'passkey', name, createdAt, usedAt }
  })
  if (authenticator) {
    const { createdAt, usedAt } = authenticator
    listed.push({ id: 'authenticator', kind: 'authenticator', name: '', createdAt, usedAt })
  }
  if (recoveryCodes > 0)
    listed.push({ id: 'recovery-codes', kind: 'recovery-codes', name: '', createdAt: null, usedAt: null })
  return listed
}

/** Lists the access to the caller's own account. Throws AppError `auth.required`. */
export async function listOwnAccess(app: App, caller: AuthContext): Promise<Access> {
  return listAccess(app, (await loadSelf(app, caller)).id)
}
