import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { PublicSecret } from '../contracts/storage.js'
import { type OwnSecret, type Page, Username } from '../shared/api/index.js'

/** Lists public secrets, of all users or of one. */
export async function listPublicSecrets(
  { caches: { publicLists } }: App,
  page: Page,
  username?: string,
): Promise<PublicSecret[]> {
  if (username === undefined) return publicLists.list({}, page)
  const normalized = Username.safeParse(username).data
  // Users cannot have invalid names, and some databases reject queries with arbitrary text.
  return normalized === undefined ? [] : publicLists.list({ username: normalized }, page)
}

/**
 * Lists the secrets of the caller. The id of a raw secret lacks its second half, because the server does not keep the
 * key.
 */
export async function listOwnSecrets({ storage, now }: App, page: Page, { userId }: AuthContext): Promise<OwnSecret[]> {
  const secrets = userId === null ? [] : await storage.secrets.listByOwner(userId, page, now())
  return secrets.map((meta) => ({
    ...meta,
    maxViews: viewsLeft(meta),
    passwordRequired: meta.passwordHash !== null,
    isPublic: meta.kind === 'public',
    recipientViews: meta.recipientViews ?? [],
  }))
}
