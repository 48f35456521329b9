import type { z } from 'zod'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { announceFacts } from '../events/announce-facts.js'
import { assertCanNotify, createEvents } from '../events/durable-events.js'
import { AppError, fieldError, isAppError } from '../lib/errors.js'
import { newId } from '../lib/random-token.js'
import { storedProof } from '../lib/stored-proof.js'
import { deriveRecordKey, unwrapResponse, wrapResponse } from '../secrets/idempotency.js'
import { assertEmailVerified, findRequestRefusal } from '../settings/creation-rules.js'
import { assertRequestFollowsPolicy } from '../settings/policy-rules.js'
import type { CreatedRequest, CreateRequest } from '../shared/api/index.js'
import { requestCreatedFacts } from './request-facts.js'

/**
 * Creates a secret request. A repeated call with the same idempotency key gets the first response again and creates
 * nothing. Throws AppError `settings.*` or `request.*`.
 */
export async function createRequest(
  app: App,
  body: z.output<typeof CreateRequest>,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedRequest> {
  const { config, now } = app
  const current = await app.settings.current()
  const refusal = findRequestRefusal(caller, current)
  if (refusal) throw new AppError(refusal)
  if (body.ttl > config.ttlMaxAnonymous) assertEmailVerified(caller, current)
  const ttlMax = caller.userId === null ? config.ttlMaxAnonymous : config.ttlMaxUser
  if (body.ttl > ttlMax) throw fieldError('ttl', `must be at most ${ttlMax}`)
  await assertRequestFollowsPolicy(app, body, caller)
  if (body.notify) assertCanNotify(app, caller, 'request.submitted', 'request.fulfilled')
  const request = buildRequest(body, caller, now())
  const { id, expiresAt } = request
  const response = { id, url: `${config.publicUrl}/request/${id}`, expiresAt }
  const owner = caller.userId ?? caller.address ?? ''
  const key = idempotencyKey ? deriveRecordKey(`requests of ${owner}`, idempotencyKey, body, app.key) : null
  const record = key ? wrapResponse(key, response, now()) : undefined
  const facts = requestCreatedFacts(request)
  const earlier = await app.storage.requests
    .create({ request, now: now(), record, events: createEvents(app, facts) })
    // Ids are random, so the conflict is about the owner: the account was deleted meanwhile.
    .catch((error) =>
      Promise.reject(isAppError(error, 'storage.conflict') && request.ownerId ? new AppError('auth.required') : error),
    )
  if (key && earlier !== null) return unwrapResponse(key, earlier)
  await announceFacts(app, facts, caller)
  return response
}

const buildRequest = (body: z.output<typeof CreateRequest>, { userId }: AuthContext, now: number): SecretRequest => ({
  id: newId(),
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
