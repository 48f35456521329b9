/**
 * Idempotency keys: the first response to a create is stored for a day, for retries. It is encrypted, because it contains the
 * burn token and, for a raw secret, the key.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import type { IdempotencyRecord } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import type { CreatedSecret } from '../shared/api/index.js'

const DAY_MS = 24 * 60 * 60_000
const TAG_BYTES = 16
/** Each wrapping key encrypts one response only, so a constant nonce is safe. */
const NONCE = Buffer.alloc(12)

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

/** Encrypts a response for the store. `now`: epoch ms. */
export function wrapResponse(
  { keyHash, wrappingKey }: RecordKey,
  response: CreatedSecret,
  now: number,
): IdempotencyRecord {
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, NONCE)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final(), cipher.getAuthTag()])
  return { keyHash, response: sealed.toString('base64url'), expiresAt: now + DAY_MS }
}

/** Decrypts a stored response. Throws AppError `request.idempotency_mismatch` when it belongs to a different request. */
export function unwrapResponse({ wrappingKey }: RecordKey, stored: string): CreatedSecret {
  const sealed = Buffer.from(stored, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, NONCE)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return JSON.parse(decipher.update(sealed.subarray(0, -TAG_BYTES)).toString() + decipher.final().toString())
  } catch {
    throw new AppError('request.idempotency_mismatch', { field: 'Idempotency-Key' })
  }
}
