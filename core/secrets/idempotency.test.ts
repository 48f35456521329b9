import { expect, test } from 'vitest'
import type { CreatedSecret } from '../shared/api/index.js'
import { deriveRecordKey, unwrapResponse, wrapResponse } from './idempotency.js'

const response: CreatedSecret = {
  id: 'lookup~CANARY-KEY',
  url: 'https://example.org/secret/lookup~CANARY-KEY',
  burnToken: 'CANARY-TOKEN',
  expiresAt: 1,
  maxViews: 1,
  kind: 'raw',
  zeroKnowledge: false,
}
const body = { text: 'a ☃', ttl: 60 }
const KEY = Buffer.alloc(32, 7)

test('unwrapResponse returns the response for the same caller, key and request', () => {
  const kept = wrapResponse(deriveRecordKey('caller', 'order-42', body, KEY), response, 1000)
  expect(kept.expiresAt).toBe(1000 + 24 * 60 * 60_000)
  expect(unwrapResponse(deriveRecordKey('caller', 'order-42', body, KEY), kept.response)).toEqual(response)
})

test('another request with the same key fails with request.idempotency_mismatch', () => {
  const kept = wrapResponse(deriveRecordKey('caller', 'order-42', body, KEY), response, 1000)
  const other = deriveRecordKey('caller', 'order-42', { ...body, ttl: 61 }, KEY)
  expect(() => unwrapResponse(other, kept.response)).toThrow(
    expect.objectContaining({ code: 'request.idempotency_mismatch' }),
  )
})

test('different callers and keys have different hashes', () => {
  const hashes = [
    deriveRecordKey('a', 'bc', body, KEY),
    deriveRecordKey('ab', 'c', body, KEY),
    deriveRecordKey('a', 'b', body, KEY),
    deriveRecordKey('b', 'b', body, KEY),
  ].map(({ keyHash }) => keyHash)
  expect(new Set(hashes).size).toBe(4)
})

test('a stored record reveals neither id, token nor key', () => {
  const kept = JSON.stringify(wrapResponse(deriveRecordKey('caller', 'order-42', body, KEY), response, 1000))
  for (const canary of ['CANARY', 'order-42', Buffer.from('CANARY').toString('base64url').slice(0, 7)]) {
    expect(kept).not.toContain(canary)
  }
})

test('two records of one request have different nonces', () => {
  const key = deriveRecordKey('caller', 'order-42', body, KEY)
  const [one, two] = [wrapResponse(key, response, 1000), wrapResponse(key, response, 1000)].map((each) => each.response)
  expect(one?.split('.')[0]).toHaveLength(16)
  expect(one?.split('.')).toSatisfy((parts: string[]) => parts.every((part, index) => part !== two?.split('.')[index]))
  for (const record of [one, two]) expect(unwrapResponse(key, record ?? '')).toEqual(response)
})

test('a record of a guessed key and request cannot be found or decrypted without the instance key', () => {
  const kept = wrapResponse(deriveRecordKey('caller', 'job-1', body, KEY), response, 1000)
  const guessed = deriveRecordKey('caller', 'job-1', body, Buffer.alloc(32, 8))
  expect(guessed.keyHash).not.toBe(kept.keyHash)
  expect(() => unwrapResponse(guessed, kept.response)).toThrow()
})
