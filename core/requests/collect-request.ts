import type { CollectedRequest, CollectRequest } from '../shared/api/index.js'
import { loadForCollector, requireStore } from './load-request.js'
import type { RequestDeps } from './request-deps.js'

/** Lists the submissions of a request. Spends nothing. Throws AppError `secret_request.not_found`. */
export async function collectRequest(
  deps: RequestDeps,
  id: string,
  { collect }: CollectRequest,
): Promise<CollectedRequest> {
  const request = await loadForCollector(deps, id, collect)
  return { ...request, submissions: await requireStore(deps).listSubmissions(id, deps.now()) }
}
