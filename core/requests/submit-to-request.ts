import type { App } from '../app.js'
import { measureFiles, toRequestBindings } from '../attachments/bind-uploads.js'
import { chargeText } from '../attachments/quotas.js'
import { reserveForRequest } from '../attachments/reserve-upload.js'
import { type AuthContext, anonymous } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import type { Secret } from '../contracts/storage.js'
import { announceFacts } from '../events/announce-facts.js'
import { createEvents } from '../events/durable-events.js'
import { fieldError, onConflict } from '../lib/errors.js'
import { newId, randomToken } from '../lib/random-token.js'
import { storedProof } from '../lib/stored-proof.js'
import { deriveRecordKey, type RecordKey, unwrapResponse, wrapResponse } from '../secrets/idempotency.js'
import { recordCreated } from '../secrets/record-secret-event.js'
import { createdFacts } from '../secrets/secret-facts.js'
import type { CreatedFile, CreatedSubmission, CreateFile, CreateSubmission } from '../shared/api/index.js'
import { submissionLengthMax } from '../shared/crypto/encrypted-sizes.js'
import { loadForSubmitter, notFound } from './load-request.js'
import { submittedFacts } from './request-facts.js'

/** The credentials of a request link. */
export interface RequestAuthorization {
  id: string
  submit: string
}

/**
 * Stores a submission: a sealed secret with one view, which the collect proof opens and which belongs to the owner of
 * the request. A repeated call with the same idempotency key gets the first response again and stores nothing. Throws
 * AppError `secret_request.not_found`, `request.*` or `file.*`.
 */
export async function submitToRequest(
  app: App,
  id: string,
  body: CreateSubmission,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedSubmission> {
  const { storage, now } = app
  const key = idempotencyKey ? deriveRecordKey(`request ${id}`, idempotencyKey, body, app.key) : null
  const repeat = async () => {
    const response = key ? await storage.secrets.findIdempotencyRecord(key.keyHash, now()) : null
    return key && response !== null ? unwrapResponse<CreatedSubmission>(key, response) : null
  }
  const earlier = await repeat()
  if (earlier) return earlier
  const request = await loadForSubmitter(app, id, body.submit, caller)
  await app.limits.consume('request-answer', anonymous(null), request.ownerId ?? request.id)
  const stored = await store(app, request, body, { caller, key })
  const response = stored ?? (await repeat())
  if (!response) throw notFound()
  return response
}

/**
 * Starts the upload of a file for a submission. Throws AppError `secret_request.not_found`, `request.invalid` or
 * `file.*`.
 */
export async function reserveRequestFile(
  app: App,
  { id, submit }: RequestAuthorization,
  file: CreateFile,
  caller: AuthContext,
): Promise<CreatedFile> {
  const request = await loadForSubmitter(app, id, submit, caller)
  if (!request.allowFiles) throw fieldError('size', 'this request accepts no files')
  if (file.copies !== undefined) throw fieldError('copies', 'a submission has its own files')
  assertSize(request, file.size, 'size')
  return reserveForRequest(app, file, request.id, onBehalfOfOwner(request, caller))
}

interface Submitter {
  caller: AuthContext
  key: RecordKey | null
}

/** Null if another submission got the last slot. */
async function store(
  app: App,
  request: SecretRequest,
  body: CreateSubmission,
  { caller, key }: Submitter,
): Promise<CreatedSubmission | null> {
  const { config, now } = app
  const { text, files = [] } = body
  const textMax = submissionLengthMax(config.maxTextBytes)
  if (text.length > textMax) throw fieldError('text', `must be at most ${textMax} bytes`, 'request.too_large')
  if (files.length > 0 && !request.allowFiles) throw fieldError('files', 'this request accepts none')
  if (files.length > config.maxFiles) throw fieldError('files', `must be at most ${config.maxFiles}`)
  const owner = onBehalfOfOwner(request, caller)
  const bindings = await toRequestBindings(app, request.id, files)
  const size = text.length + (await measureFiles(app, bindings, []))
  assertSize(request, size, 'text')
  await chargeText(app, text.length, owner, 'requests')
  const secret = buildSubmission(request, body, now())
  const response = { id: secret.id, expiresAt: secret.expiresAt }
  const record = key ? wrapResponse(key, response, now()) : undefined
  let facts: ReturnType<typeof submittedFacts> = []
  const events = createEvents(app, createdFacts(secret))
  const toEvents = (submissions: number) => {
    facts = submittedFacts(request, secret, submissions)
    return createEvents(app, facts)
  }
  const result = await app.storage.requests
    .submit(request.id, { secret, size, record, files: bindings, events, toEvents }, now())
    // The account of the owner was deleted meanwhile, and the request with it.
    .catch(onConflict('secret_request.not_found'))
  if (result.outcome === 'repeated' && key) return unwrapResponse(key, result.response)
  if (result.outcome !== 'stored') return null
  await recordCreated(app, secret, caller)
  await announceFacts(app, facts, caller)
  return response
}

/** It expires with the request unless the submitter sets a shorter lifetime. */
function buildSubmission(request: SecretRequest, { text, ttl, files }: CreateSubmission, now: number): Secret {
  const { ownerId, collectHash: accessHash, expiresAt } = request
  return {
    id: newId(),
    kind: 'sealed',
    text,
    title: null,
    passwordHash: null,
    allowedIp: null,
    // Clients do not get the burn token: the collect link and the owner can burn a submission.
    burnHash: storedProof(randomToken(32)),
    ownerId,
    accessHash,
    maxViews: 1,
    views: 0,
    preventBurn: false,
    notify: false,
    failures: 0,
    lockedUntil: 0,
    createdAt: now,
    expiresAt: Math.min(expiresAt, ttl === undefined ? expiresAt : now + ttl * 1000),
    files: files?.length ?? 0,
  }
}

/** Charges the owner's quotas for requests. The address counts if the request was created anonymously. */
const onBehalfOfOwner = ({ ownerId }: SecretRequest, { address }: AuthContext): AuthContext => ({
  ...anonymous(address),
  userId: ownerId,
})

function assertSize({ maxBytes }: SecretRequest, size: number, field: string): void {
  if (maxBytes !== null && size > maxBytes) {
    throw fieldError(field, `the submission must be at most ${maxBytes} encrypted bytes`, 'request.too_large')
  }
}
