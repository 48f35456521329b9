import type { z } from 'zod'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { assertCanNotify } from '../events/assert-can-notify.js'
import { AppError, isAppError } from '../lib/errors.js'
import { newLookupId } from '../secrets/build-secret.js'
import { deriveRecordKey, unwrapResponse, wrapResponse } from '../secrets/idempotency.js'
import { assertEmailVerified, findRequestRefusal } from '../settings/settings-service.js'
import type { CreatedRequest, CreateRequest } from '../shared/api/index.js'
import { storedProof } from '../shared/crypto/keys.js'
import { requestCreatedEvents } from './durable-request-events.js'
import { invalid, requireStore } from './load-request.js'
import { recordRequestCreated } from './record-request-event.js'
import type { RequestDeps } from './request-deps.js'

/**
 * Creates a secret request. A repeated call with the same idempotency key gets the first response again and creates nothing.
 * Throws AppError `settings.*` or `request.*`.
 */
export async function createRequest(
  deps: RequestDeps,
  body: z.output<typeof CreateRequest>,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedRequest> {
  const { instance, settings, now } = deps
  const store = requireStore(deps)
  const current = await instance.current()
  const refusal = findRequestRefusal(caller, current)
  if (refusal) throw new AppError(refusal)
  if (body.ttl > settings.ttlMaxAnonymous) assertEmailVerified(caller, current)
  const ttlMax = caller.userId === null ? settings.ttlMaxAnonymous : settings.ttlMaxUser
  if (body.ttl > ttlMax) throw invalid('request.invalid', 'ttl', `must be at most ${ttlMax}`)
  if (body.notify) assertCanNotify(deps.events, caller, 'request.submitted', 'request.fulfilled')
  const request = buildRequest(body, caller, now())
  const { id, expiresAt } = request
  const response = { id, url: `${settings.publicUrl}/request/${id}`, expiresAt }
  const owner = caller.userId ?? caller.address ?? ''
  const key = idempotencyKey ? deriveRecordKey(`requests of ${owner}`, idempotencyKey, body) : null
  const record = key ? wrapResponse(key, response, now()) : undefined
  const earlier = await store
    .create(request, now(), record, requestCreatedEvents(deps.events, request))
    // Ids are random, so the conflict is about the owner: the account was deleted meanwhile.
    .catch((error) =>
      Promise.reject(isAppError(error, 'storage.conflict') && request.ownerId ? new AppError('auth.required') : error),
    )
  if (key && earlier !== null) return unwrapResponse(key, earlier)
  await recordRequestCreated(deps, request, caller)
  return response
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
