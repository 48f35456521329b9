/**
 * Idempotency keys: the first response to a create is stored for a day, for retries. It is encrypted, because it
 * contains the burn token and, for a raw secret, the key.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { IdempotencyRecord } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const DAY_MS = 24 * 60 * 60_000
const TAG_BYTES = 16
const NONCE_BYTES = 12

/** Derived from an idempotency key, its caller and the request. */
export interface RecordKey {
  keyHash: string
  wrappingKey: Buffer
}

/**
 * `instanceKey`: 32 bytes. The wrapping key depends on it, on the idempotency key and on the whole request. With the
 * database alone, a guessable key of a guessable request can be tried, unless the instance key is configured, and so
 * outside of the database.
 */
export function deriveRecordKey(caller: string, key: string, request: unknown, instanceKey: Buffer): RecordKey {
  const body = createHash('sha256').update(JSON.stringify(request)).digest()
  return {
    keyHash: createHmac('sha256', instanceKey)
      .update(JSON.stringify(['mayfly/v1/replay', caller, key]))
      .digest('hex'),
    wrappingKey: Buffer.from(
      hkdfSync('sha256', Buffer.concat([Buffer.from(key), body]), instanceKey, 'mayfly/v1/replay', 32),
    ),
  }
}

/**
 * Encrypts a response for the store: a random nonce, a dot and the ciphertext. The same request can be wrapped twice
 * with one key: by two callers, or again after a day.
 */
export function wrapResponse({ keyHash, wrappingKey }: RecordKey, response: object, now: EpochMs): IdempotencyRecord {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final(), cipher.getAuthTag()])
  const record = [nonce, sealed].map((bytes) => bytes.toString('base64url')).join('.')
  return { keyHash, response: record, expiresAt: now + DAY_MS }
}

/**
 * Decrypts a stored response. Throws AppError `request.idempotency_mismatch` when it belongs to a different request.
 */
export function unwrapResponse<Response>({ wrappingKey }: RecordKey, stored: string): Response {
  const [nonce = Buffer.alloc(0), sealed = Buffer.alloc(0)] = stored
    .split('.')
    .map((text) => Buffer.from(text, 'base64url'))
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, nonce)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return JSON.parse(decipher.update(sealed.subarray(0, -TAG_BYTES)).toString() + decipher.final().toString())
  } catch {
    throw new AppError('request.idempotency_mismatch', { field: 'Idempotency-Key' })
  }
}
