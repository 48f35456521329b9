import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { recordsEnds } from '../secrets/retention.js'
import { hasProof } from '../secrets/secret-access.js'
import type { CloseRequest } from '../shared/api/index.js'
import { toClosedEvents } from './durable-request-events.js'
import { notFound, requireStore } from './load-request.js'
import { recordRequestClosed } from './record-request-event.js'
import type { RequestDeps } from './request-deps.js'

/** Closes a request and burns its unopened submissions. Throws AppError `secret_request.not_found`, the same for every reason. */
export async function closeRequest(
  deps: RequestDeps,
  id: string,
  { collect }: CloseRequest,
  caller: AuthContext,
): Promise<void> {
  const { instance, recorder, now, tidyUp } = deps
  const request = await deps.store?.find(id, now())
  if (!request || !canClose(request, collect, caller)) throw notFound()
  const isRecorded = request.ownerId !== null && recordsEnds(await instance.current())
  const burned = await requireStore(deps).close(id, now(), toClosedEvents(deps.events, request), isRecorded)
  if (!burned) throw notFound()
  tidyUp({ hasFiles: burned.some(({ files }) => files > 0) })
  for (const secret of burned) await recorder.recordBurned(secret, caller)
  await recordRequestClosed(deps, id, burned.length, caller)
}

function canClose({ collectHash, ownerId }: SecretRequest, collect: string | undefined, caller: AuthContext): boolean {
  if (collect !== undefined && hasProof(collectHash, collect)) return true
  return ownerId !== null && ownerId === caller.userId && caller.scopes.includes('account')
}
