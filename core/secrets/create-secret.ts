import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '../app.js'
import { measureFiles, storeInlineFiles, toBindings } from '../attachments/bind-uploads.js'
import { discardUploads } from '../attachments/cancel-upload.js'
import { chargeText, SMALL_TEXT } from '../attachments/quotas.js'
import type { Binding } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { IdempotencyRecord } from '../contracts/storage.js'
import { assertCanNotify, createEvents } from '../events/durable-events.js'
import { AppError, isAppError } from '../lib/errors.js'
import { assertCanCreate, assertEmailVerified } from '../settings/creation-rules.js'
import { assertSecretFollowsPolicy } from '../settings/policy-rules.js'
import type { CreatedSecret, CreateSecret } from '../shared/api/index.js'
import { assertWithinLimits, type BuiltSecret, buildSecret } from './build-secret.js'
import { deriveRecordKey, unwrapResponse, wrapResponse } from './idempotency.js'
import { recordCreated } from './record-secret-event.js'
import { createdFacts } from './secret-facts.js'

/**
 * Creates a secret. A repeated request with the same idempotency key gets the first response again and creates nothing.
 * Throws AppError, among others `settings.*`, `request.*`, `token.used_up` and `file.*`.
 */
export async function createSecret(
  app: App,
  body: CreateSecret,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedSecret> {
  const { config, now } = app
  const store = app.storage.secrets
  const current = await app.settings.current()
  assertCanCreate(caller, current)
  if (body.ttl > config.ttlMaxAnonymous) assertEmailVerified(caller, current)
  assertWithinLimits(body, caller, config)
  if (body.recipients !== undefined && !app.settings.canVerifyEmail)
    throw new AppError('mail.unavailable', { field: 'recipients' })
  await assertSecretFollowsPolicy(app, body, caller)
  if (body.notify) assertCanNotify(app, caller, 'secret.viewed', 'secret.expired')
  const key = idempotencyKey && deriveRecordKey(caller.userId ?? caller.address ?? '', idempotencyKey, body, app.key)
  const known = key && isChargedBefore(body, caller) ? await store.findIdempotencyRecord(key.keyHash, now()) : null
  if (key && known !== null) return unwrapResponse(key, known)
  const uploads = await toBindings(app, body.files, caller)
  const built = await buildSecret(app, body, caller)
  const record = key ? wrapResponse(key, built.response, now()) : undefined
  const earlier = await storeAndCharge(app, built, { uploads, record }, caller).catch((error) => {
    return key && isAppError(error, 'token.used_up') ? waitForRecord(app, key.keyHash, error) : Promise.reject(error)
  })
  if (key && earlier !== null) return unwrapResponse(key, earlier)
  await recordCreated(app, built.secret, caller)
  return built.response
}

/**
 * True if something is charged or stored before the secret: a repeated request must not do that again, and the first
 * one may have used up a token for one secret. Otherwise `store.create` finds the first response by itself.
 */
const isChargedBefore = ({ text, files = [] }: CreateSecret, { tokenId }: AuthContext): boolean =>
  tokenId !== null || files.length > 0 || Buffer.byteLength(text) > SMALL_TEXT

/** Delays in ms between look-ups of the response of a parallel request. */
const RECORD_DELAYS_MS = [0, 50, 100, 200, 400, 800]

/**
 * Returns the stored response of a parallel request with the same key. That request may have charged the last secret of
 * the token and not stored its own yet. Throws `error` if there is no response in time.
 */
async function waitForRecord({ storage, now }: App, keyHash: string, error: AppError): Promise<string> {
  for (const delay of RECORD_DELAYS_MS) {
    await wait(delay)
    const record = await storage.secrets.findIdempotencyRecord(keyHash, now())
    if (record !== null) return record
  }
  throw error
}

interface Extras {
  uploads: Binding[]
  record: IdempotencyRecord | undefined
}

/**
 * Stores the secret, and charges it and its bytes to the caller's API token, if there is one. Returns the stored
 * response of an earlier request with the same key, which costs nothing. Throws AppError `token.used_up`.
 */
async function storeAndCharge(
  app: App,
  built: BuiltSecret,
  extras: Extras,
  caller: AuthContext,
): Promise<string | null> {
  const { tokenId } = caller
  if (tokenId === null) return storeWithFiles(app, built, extras, caller)
  const bytes = Buffer.byteLength(built.secret.text) + (await measureFiles(app, extras.uploads, built.inline))
  if (!(await app.storage.tokens.spend(tokenId, bytes, app.now()))) throw new AppError('token.used_up')
  let isCreated = false
  try {
    const earlier = await storeWithFiles(app, built, extras, caller)
    isCreated = earlier === null
    return earlier
  } finally {
    if (!isCreated) await app.storage.tokens.refund(tokenId, bytes)
  }
}

async function storeWithFiles(
  app: App,
  { secret, inline, addressHashes }: BuiltSecret,
  { uploads, record }: Extras,
  caller: AuthContext,
): Promise<string | null> {
  const { storage, now } = app
  await chargeText(app, Buffer.byteLength(secret.text), caller)
  const stored = await storeInlineFiles(app, inline, caller)
  const files = [...uploads, ...stored]
  const events = createEvents(app, createdFacts(secret))
  const input = { secret, now: now(), record, files, addressHashes, events }
  const earlier = await storage.secrets.create(input).catch((error) => {
    // Ids are random, so the conflict is about the owner: the account was deleted meanwhile.
    throw isAppError(error, 'storage.conflict') && secret.ownerId ? new AppError('auth.required') : error
  })
  if (earlier !== null) await discardUploads(app, stored)
  return earlier
}
