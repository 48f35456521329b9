import { setTimeout as wait } from 'node:timers/promises'
import { SMALL_TEXT } from '../attachments/quotas.js'
import type { Binding } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { IdempotencyRecord, Secret } from '../contracts/storage.js'
import { assertCanNotify } from '../events/assert-can-notify.js'
import { AppError, isAppError } from '../lib/errors.js'
import { assertCanCreate, assertEmailVerified } from '../settings/settings-service.js'
import type { CreatedSecret, CreateSecret } from '../shared/api/index.js'
import { assertWithinLimits, type BuiltSecret, buildSecret } from './build-secret.js'
import { createdEvents } from './durable-secret-events.js'
import { deriveRecordKey, unwrapResponse, wrapResponse } from './idempotency.js'
import type { SecretDeps } from './secret-deps.js'

/**
 * Creates a secret. A repeated request with the same idempotency key gets the first response again and creates nothing.
 * Throws AppError, among others `settings.*`, `request.*`, `token.used_up` and `file.*`.
 */
export async function createSecret(
  deps: SecretDeps,
  body: CreateSecret,
  caller: AuthContext,
  idempotencyKey?: string,
): Promise<CreatedSecret> {
  const { store, receipts, instance, attachments, settings, hasher, recorder, events, now } = deps
  const current = await instance.current()
  assertCanCreate(caller, current)
  if (body.ttl > settings.ttlMaxAnonymous) assertEmailVerified(caller, current)
  assertWithinLimits(body, caller, settings)
  if (body.notify) assertCanNotify(events, caller, 'secret.viewed', 'secret.expired')
  if (body.receipt && !receipts)
    throw new AppError('request.invalid', { field: 'receipt', message: 'receipt: the storage has no receipts' })
  const key = idempotencyKey && deriveRecordKey(caller.userId ?? caller.address ?? '', idempotencyKey, body)
  const known = key && isChargedBefore(body, caller) ? await store.findIdempotencyRecord(key.keyHash, now()) : null
  if (key && known !== null) return unwrapResponse(key, known)
  const uploads = await attachments.toBindings(body.files, caller)
  const built = await buildSecret(body, caller, { publicUrl: settings.publicUrl, hasher }, now())
  const record = key ? wrapResponse(key, built.response, now()) : undefined
  const earlier = await storeAndCharge(deps, built, { uploads, record }, caller).catch((error) => {
    return key && isAppError(error, 'token.used_up') ? waitForRecord(deps, key.keyHash, error) : Promise.reject(error)
  })
  if (key && earlier !== null) return unwrapResponse(key, earlier)
  await recorder.recordCreated(built.secret, caller)
  return built.response
}

/**
 * True if something is charged or stored before the secret: a repeated request must not do that again, and the first one may
 * have used up a token for one secret. Otherwise `store.create` finds the first response by itself.
 */
const isChargedBefore = ({ text, files = [] }: CreateSecret, { tokenId }: AuthContext): boolean =>
  tokenId !== null || files.length > 0 || Buffer.byteLength(text) > SMALL_TEXT

/** Delays in ms between look-ups of the response of a parallel request. */
const RECORD_DELAYS_MS = [0, 50, 100, 200, 400, 800]

/**
 * Returns the stored response of a parallel request with the same key. That request may have charged the last secret of the
 * token and not stored its own yet. Throws `error` if there is no response in time.
 */
async function waitForRecord({ store, now }: SecretDeps, keyHash: string, error: AppError): Promise<string> {
  for (const delay of RECORD_DELAYS_MS) {
    await wait(delay)
    const record = await store.findIdempotencyRecord(keyHash, now())
    if (record !== null) return record
  }
  throw error
}

interface Extras {
  uploads: Binding[]
  record: IdempotencyRecord | undefined
}

/** Stores the secret and charges the caller's token. Returns the stored response of an earlier request with the same key. */
async function storeAndCharge(
  deps: SecretDeps,
  { secret, inline }: BuiltSecret,
  { uploads, record }: Extras,
  caller: AuthContext,
): Promise<string | null> {
  const { attachments, tokens } = deps
  const textBytes = Buffer.byteLength(secret.text)
  const measure = async () => textBytes + (await attachments.totalSize(uploads, inline))
  const make = async () => {
    await attachments.chargeText(textBytes, caller)
    const stored = await attachments.storeInline(inline, caller)
    const earlier = await storeSecret(deps, secret, { uploads: [...uploads, ...stored], record })
    if (earlier !== null) await attachments.discard(stored)
    return earlier
  }
  return tokens.charge(caller, measure, make, (earlier) => earlier === null)
}

async function storeSecret({ store, events, now }: SecretDeps, secret: Secret, { uploads, record }: Extras) {
  try {
    return await store.create(secret, now(), record, uploads, createdEvents(events, secret))
  } catch (error) {
    // Ids are random, so the conflict is about the owner: the account was deleted meanwhile.
    throw isAppError(error, 'storage.conflict') && secret.ownerId ? new AppError('auth.required') : error
  }
}
