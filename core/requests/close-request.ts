import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { announceFacts } from '../events/announce-facts.js'
import { createEvents } from '../events/durable-events.js'
import { recordBurned } from '../secrets/record-secret-event.js'
import { recordsEnds } from '../secrets/retention.js'
import { hasProof } from '../secrets/secret-access.js'
import type { CloseRequest } from '../shared/api/index.js'
import { notFound } from './load-request.js'
import { closedFacts } from './request-facts.js'

/**
 * Closes a request and burns its unopened submissions. Throws AppError `secret_request.not_found`, the same for every
 * reason.
 */
export async function closeRequest(
  app: App,
  id: string,
  { collect }: CloseRequest,
  caller: AuthContext,
): Promise<void> {
  const { settings, now } = app
  const store = app.storage.requests
  const request = await store.find(id, now())
  if (!request || !canClose(request, collect, caller)) throw notFound()
  const isRecorded = request.ownerId !== null && recordsEnds(await settings.current())
  const burned = await store.close({
    id,
    now: now(),
    toEvents: (submissions) => createEvents(app, closedFacts(request, submissions)),
    recordsEnd: isRecorded,
  })
  if (!burned) throw notFound()
  app.background.cleanup.wipeSoon({ hasFiles: burned.some(({ files }) => files > 0) })
  for (const secret of burned) await recordBurned(app, secret, caller)
  await announceFacts(app, closedFacts(request, burned).slice(-1), caller)
}

function canClose({ collectHash, ownerId }: SecretRequest, collect: string | undefined, caller: AuthContext): boolean {
  if (collect !== undefined && hasProof(collectHash, collect)) return true
  return ownerId !== null && ownerId === caller.userId && caller.scopes.includes('account')
}
