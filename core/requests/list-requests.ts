import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { OwnRequest, Page } from '../shared/api/index.js'

/** Lists the open requests of the caller: state and counts, no content. */
export async function listOwnRequests(
  { storage, now }: App,
  page: Page,
  { userId }: AuthContext,
): Promise<OwnRequest[]> {
  return userId === null ? [] : storage.requests.listByOwner(userId, page, now())
}
