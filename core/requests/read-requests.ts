/** Reads requests, which spends nothing. With a link, throws AppError `secret_request.not_found`. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { loadSubmittedFileMax } from '../settings/policy-rules.js'
import type {
  CollectedRequest,
  CollectRequest,
  OpenedRequest,
  OpenRequest,
  OwnRequest,
  Page,
} from '../shared/api/index.js'
import { loadForCollector, loadForSubmitter } from './load-request.js'

/** Lists the submissions of a request. */
export async function collectRequest(app: App, id: string, { collect }: CollectRequest): Promise<CollectedRequest> {
  const request = await loadForCollector(app, id, collect)
  return { ...request, submissions: await app.storage.requests.listSubmissions(id, app.now()) }
}

/** Lists the open requests of the caller: state and counts, no content. */
export async function listOwnRequests(
  { storage, now }: App,
  page: Page,
  { userId }: AuthContext,
): Promise<OwnRequest[]> {
  return userId === null ? [] : storage.requests.listByOwner(userId, page, now())
}

/** Returns the data that a submitter needs. */
export async function openRequest(
  app: App,
  id: string,
  { submit }: OpenRequest,
  caller: AuthContext,
): Promise<OpenedRequest> {
  const request = await loadForSubmitter(app, id, submit, caller)
  const { value: maxFileBytes } = await loadSubmittedFileMax(app, request.ownerId)
  return { ...request, maxFileBytes, submissionsLeft: request.maxSubmissions - request.submissions }
}
