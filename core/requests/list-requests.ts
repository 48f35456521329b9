import type { AuthContext } from '../contracts/auth-context.js'
import type { OwnRequest, Page } from '../shared/api/index.js'
import type { RequestDeps } from './request-deps.js'

/** Lists the open requests of the caller: state and counts, no content. */
export async function listOwnRequests(
  { store, now }: RequestDeps,
  page: Page,
  { userId }: AuthContext,
): Promise<OwnRequest[]> {
  return !store || userId === null ? [] : store.listByOwner(userId, page, now())
}
