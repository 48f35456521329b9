import { randomBytes } from 'node:crypto'
import { type AuthContext, anonymous } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import type { Secret } from '../contracts/storage.js'
import { isAppError } from '../lib/errors.js'
import { newLookupId } from '../secrets/build-secret.js'
import { createdEvents } from '../secrets/durable-secret-events.js'
import { deriveRecordKey, type RecordKey, unwrapResponse, wrapResponse } from '../secrets/idempotency.js'
import type { CreatedFile, CreatedSubmission, CreateFile, CreateSubmission } from '../shared/api/index.js'
import { submissionLengthMax } from '../shared/crypto/encrypted-sizes.js'
import { storedProof } from '../shared/crypto/keys.js'
import { toSubmittedEvents } from './durable-request-events.js'
import { invalid, loadForSubmitter, notFound, requireStore } from './load-request.js'
import { recordSubmitted } from './record-request-event.js'
import type { RequestDeps } from './request-deps.js'

/** The credentials of a request link. */
export interface RequestAuthorization {
  id: string
  submit: string
}

/**
 * Stores a submission: a sealed secret with one view, which the collect proof opens and which belongs to the owner of the
 * request. A repeated call with the same idempotency key gets the first response again and stores nothing. Throws AppError
 * `secret_request.not_found`, `request.*` or `file.*`.
 */
export async function submitToRequest(
  deps: RequestDeps,
  id: string,
  body: CreateSubmission,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedSubmission> {
  const { secrets, now } = deps
  const key = idempotencyKey ? deriveRecordKey(`request ${id}`, idempotencyKey, body) : null
  const repeat = async () => {
    const response = key ? await secrets.findIdempotencyRecord(key.keyHash, now()) : null
    return key && response !== null ? unwrapResponse<CreatedSubmission>(key, response) : null
  }
  const earlier = await repeat()
  if (earlier) return earlier
  const request = await loadForSubmitter(deps, id, body.submit, caller)
  await deps.limits.consume('request-answer', anonymous(null), request.ownerId ?? request.id)
  const stored = await store(deps, request, body, { caller, key })
  const response = stored ?? (await repeat())
  if (!response) throw notFound()
  return response
}

/** Starts the upload of a file for a submission. Throws AppError `secret_request.not_found`, `request.invalid` or `file.*`. */
export async function reserveRequestFile(
  deps: RequestDeps,
  { id, submit }: RequestAuthorization,
  file: CreateFile,
  caller: AuthContext,
): Promise<CreatedFile> {
  const request = await loadForSubmitter(deps, id, submit, caller)
  if (!request.allowFiles) throw invalid('request.invalid', 'size', 'this request accepts no files')
  assertSize(request, file.size, 'size')
  return deps.attachments.reserveForRequest(file, request.id, onBehalfOfOwner(request, caller))
}

interface Submitter {
  caller: AuthContext
  key: RecordKey | null
}

/** Null if another submission got the last slot. */
async function store(
  deps: RequestDeps,
  request: SecretRequest,
  body: CreateSubmission,
  { caller, key }: Submitter,
): Promise<CreatedSubmission | null> {
  const { attachments, settings, recorder, now } = deps
  const { text, files = [] } = body
  const textMax = submissionLengthMax(settings.maxTextBytes)
  if (text.length > textMax) throw invalid('request.too_large', 'text', `must be at most ${textMax} bytes`)
  if (files.length > 0 && !request.allowFiles) throw invalid('request.invalid', 'files', 'this request accepts none')
  if (files.length > settings.maxFiles)
    throw invalid('request.invalid', 'files', `must be at most ${settings.maxFiles}`)
  const owner = onBehalfOfOwner(request, caller)
  const bindings = await attachments.toRequestBindings(request.id, files)
  const size = text.length + (await attachments.totalSize(bindings, []))
  assertSize(request, size, 'text')
  await attachments.chargeText(text.length, owner, 'requests')
  const secret = buildSubmission(request, body, now())
  const response = { id: secret.id, expiresAt: secret.expiresAt }
  const record = key ? wrapResponse(key, response, now()) : undefined
  const result = await requireStore(deps)
    .submit(request.id, { secret, size, record, files: bindings, ...createEvents(deps, request, secret) }, now())
    // The account of the owner was deleted meanwhile, and the request with it.
    .catch((error) => Promise.reject(isAppError(error, 'storage.conflict') ? notFound() : error))
  if (result.outcome === 'repeated' && key) return unwrapResponse(key, result.response)
  if (result.outcome !== 'stored') return null
  await recorder.recordCreated(secret, caller)
  await recordSubmitted(deps, request, secret.id, caller)
  return response
}

const createEvents = ({ events }: RequestDeps, request: SecretRequest, secret: Secret) => ({
  events: createdEvents(events, secret),
  toEvents: toSubmittedEvents(events, request, secret),
})

/** It expires with the request unless the submitter asks for less. */
function buildSubmission(request: SecretRequest, { text, ttl, files }: CreateSubmission, now: number): Secret {
  const { ownerId, collectHash: accessHash, expiresAt } = request
  return {
    id: newLookupId(),
    kind: 'sealed',
    text,
    ...{ title: null, passwordHash: null, allowedIp: null },
    // No client gets the burn token: the collect link and the owner can burn a submission.
    burnHash: storedProof(randomBytes(32).toString('base64url')),
    ...{ ownerId, accessHash },
    ...{ maxViews: 1, views: 0, preventBurn: false, notify: false, failures: 0, lockedUntil: 0 },
    createdAt: now,
    expiresAt: Math.min(expiresAt, ttl === undefined ? expiresAt : now + ttl * 1000),
    files: files?.length ?? 0,
  }
}

/** Quotas are those for requests of the owner. The address counts if the request was created anonymously. */
const onBehalfOfOwner = ({ ownerId }: SecretRequest, { address }: AuthContext): AuthContext => ({
  ...anonymous(address),
  userId: ownerId,
})

function assertSize({ maxBytes }: SecretRequest, size: number, field: string): void {
  if (maxBytes !== null && size > maxBytes) {
    throw invalid('request.too_large', field, `the submission must be at most ${maxBytes} encrypted bytes`)
  }
}
