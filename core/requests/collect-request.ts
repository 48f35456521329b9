import type { App } from '../app.js'
import type { CollectedRequest, CollectRequest } from '../shared/api/index.js'
import { loadForCollector } from './load-request.js'

/** Lists the submissions of a request. Spends nothing. Throws AppError `secret_request.not_found`. */
export async function collectRequest(app: App, id: string, { collect }: CollectRequest): Promise<CollectedRequest> {
  const request = await loadForCollector(app, id, collect)
  return { ...request, submissions: await app.storage.requests.listSubmissions(id, app.now()) }
}
