/**
 * Idempotency keys: the first response to a create is stored for a day, for retries. It is encrypted, because it contains the
 * burn token and, for a raw secret, the key.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { IdempotencyRecord } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'

const DAY_MS = 24 * 60 * 60_000
const TAG_BYTES = 16
const NONCE_BYTES = 12
/** Of records from version 0.2.0, which contain no nonce. */
const OLD_NONCE = Buffer.alloc(NONCE_BYTES)

/** Derived from an idempotency key, its caller and the request. */
export interface RecordKey {
  keyHash: string
  wrappingKey: Buffer
}

/** The whole request is part of the wrapping key, so guessing a weak idempotency key decrypts nothing. */
export function deriveRecordKey(caller: string, key: string, request: unknown): RecordKey {
  const body = createHash('sha256').update(JSON.stringify(request)).digest()
  return {
    keyHash: createHash('sha256')
      .update(JSON.stringify(['mayfly/v1/replay', caller, key]))
      .digest('hex'),
    wrappingKey: Buffer.from(hkdfSync('sha256', Buffer.concat([Buffer.from(key), body]), '', 'mayfly/v1/replay', 32)),
  }
}

/**
 * Encrypts a response for the store: a random nonce, a dot and the ciphertext. The same request can be wrapped twice with one
 * key: by two callers, or again after a day. `now`: epoch ms.
 */
export function wrapResponse({ keyHash, wrappingKey }: RecordKey, response: object, now: number): IdempotencyRecord {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final(), cipher.getAuthTag()])
  const record = [nonce, sealed].map((bytes) => bytes.toString('base64url')).join('.')
  return { keyHash, response: record, expiresAt: now + DAY_MS }
}

/** Decrypts a stored response. Throws AppError `request.idempotency_mismatch` when it belongs to a different request. */
export function unwrapResponse<Response>({ wrappingKey }: RecordKey, stored: string): Response {
  const [sealed = OLD_NONCE, nonce = OLD_NONCE] = stored
    .split('.')
    .map((text) => Buffer.from(text, 'base64url'))
    .reverse()
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, nonce)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return JSON.parse(decipher.update(sealed.subarray(0, -TAG_BYTES)).toString() + decipher.final().toString())
  } catch {
    throw new AppError('request.idempotency_mismatch', { field: 'Idempotency-Key' })
  }
}
