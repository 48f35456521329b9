/**
 * Idempotent creates: the first answer, kept for a day for the caller's retries, encrypted so that the database alone
 * cannot read the burn token or the key of a raw secret inside it.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import type { Replay } from '../contracts/storage.js'
import { AppError } from '../errors.js'
import type { CreatedSecret } from '../shared/api.js'

const DAY_MS = 24 * 60 * 60_000
const TAG_BYTES = 16
/** A wrapping key wraps one answer only, so a constant nonce is never used twice with it. */
const NONCE = Buffer.alloc(12)

/** One idempotency key of one caller, with the request it was used for. */
export interface ReplayKey {
  keyHash: string
  wrappingKey: Buffer
}

/** Derives both from the key and the whole request: a low-entropy key alone unlocks nothing. */
export function replayKey(caller: string, key: string, request: unknown): ReplayKey {
  const body = createHash('sha256').update(JSON.stringify(request)).digest()
  return {
    keyHash: createHash('sha256')
      .update(JSON.stringify(['mayfly/v1/replay', caller, key]))
      .digest('hex'),
    wrappingKey: Buffer.from(hkdfSync('sha256', Buffer.concat([Buffer.from(key), body]), '', 'mayfly/v1/replay', 32)),
  }
}

/** The answer as the store may keep it. `now` in epoch ms. */
export function wrapAnswer({ keyHash, wrappingKey }: ReplayKey, answer: CreatedSecret, now: number): Replay {
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, NONCE)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final(), cipher.getAuthTag()])
  return { keyHash, answer: sealed.toString('base64url'), expiresAt: now + DAY_MS }
}

/** The first answer again. Throws AppError `request.idempotency_mismatch` when the request is another one. */
export function unwrapAnswer({ wrappingKey }: ReplayKey, stored: string): CreatedSecret {
  const sealed = Buffer.from(stored, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, NONCE)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return JSON.parse(decipher.update(sealed.subarray(0, -TAG_BYTES)).toString() + decipher.final().toString())
  } catch {
    throw new AppError('request.idempotency_mismatch', { field: 'Idempotency-Key' })
  }
}
