import type { z } from 'zod'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { AppError, isAppError } from '../lib/errors.js'
import { newLookupId } from '../secrets/build-secret.js'
import { assertCanCreate } from '../settings/settings-service.js'
import type { CreatedRequest, CreateRequest } from '../shared/api/index.js'
import { storedProof } from '../shared/crypto/keys.js'
import { requestCreatedEvents } from './durable-request-events.js'
import { invalid, requireStore } from './load-request.js'
import { recordRequestCreated } from './record-request-event.js'
import type { RequestDeps } from './request-deps.js'

/** Creates a secret request. Throws AppError `settings.*` or `request.invalid`. */
export async function createRequest(
  deps: RequestDeps,
  body: z.output<typeof CreateRequest>,
  caller: AuthContext,
): Promise<CreatedRequest> {
  const { instance, settings, now } = deps
  const store = requireStore(deps)
  const current = await instance.current()
  if (current.disable_requests) throw new AppError('settings.requests_disabled')
  assertCanCreate(caller, current)
  const ttlMax = caller.userId === null ? settings.ttlMaxAnonymous : settings.ttlMaxUser
  if (body.ttl > ttlMax) throw invalid('request.invalid', 'ttl', `must be at most ${ttlMax}`)
  if (body.notify) assertCanNotify(deps, caller)
  const request = buildRequest(body, caller, now())
  try {
    await store.create(request, requestCreatedEvents(deps.events, request))
  } catch (error) {
    // Ids are random, so the conflict is about the owner: the account was deleted meanwhile.
    throw isAppError(error, 'storage.conflict') && request.ownerId ? new AppError('auth.required') : error
  }
  await recordRequestCreated(deps, request, caller)
  return { id: request.id, url: `${settings.publicUrl}/request/${request.id}`, expiresAt: request.expiresAt }
}

/** Refuses a promise that nothing would keep. Throws AppError `request.invalid`. */
function assertCanNotify({ events }: RequestDeps, { userId }: AuthContext): void {
  if (userId === null) throw invalid('request.invalid', 'notify', 'needs an account, which is notified')
  if (!events.isWanted('request.submitted', 'request.fulfilled'))
    throw invalid('request.invalid', 'notify', 'this server sends no notifications')
}

const buildRequest = (body: z.output<typeof CreateRequest>, { userId }: AuthContext, now: number): SecretRequest => ({
  id: newLookupId(),
  ownerId: userId,
  recipient: body.recipient,
  note: body.note ?? null,
  submitHash: storedProof(body.submit),
  collectHash: storedProof(body.collect),
  maxSubmissions: body.maxSubmissions,
  submissions: 0,
  maxBytes: body.maxBytes ?? null,
  allowFiles: body.allowFiles,
  allowedIp: body.allowedIp ?? null,
  notify: body.notify,
  createdAt: now,
  expiresAt: now + body.ttl * 1000,
})
