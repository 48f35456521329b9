import { expect, test } from 'vitest'
import type { CreatedSecret } from '../shared/api.js'
import { replayKey, unwrapAnswer, wrapAnswer } from './replay.js'

const answer: CreatedSecret = {
  id: 'lookup~CANARY-KEY',
  url: 'https://example.org/secret/lookup~CANARY-KEY',
  burnToken: 'CANARY-TOKEN',
  expiresAt: 1,
  maxViews: 1,
  kind: 'raw',
  zeroKnowledge: false,
}
const body = { text: 'a ☃', ttl: 60 }

test('the answer comes back for the same caller, key and request', () => {
  const kept = wrapAnswer(replayKey('caller', 'order-42', body), answer, 1000)
  expect(kept.expiresAt).toBe(1000 + 24 * 60 * 60_000)
  expect(unwrapAnswer(replayKey('caller', 'order-42', body), kept.answer)).toEqual(answer)
})

test('another request under the same key is told so', () => {
  const kept = wrapAnswer(replayKey('caller', 'order-42', body), answer, 1000)
  const other = replayKey('caller', 'order-42', { ...body, ttl: 61 })
  expect(() => unwrapAnswer(other, kept.answer)).toThrow(
    expect.objectContaining({ code: 'request.idempotency_mismatch' }),
  )
})

test('callers and keys do not meet', () => {
  const hashes = [
    replayKey('a', 'bc', body),
    replayKey('ab', 'c', body),
    replayKey('a', 'b', body),
    replayKey('b', 'b', body),
  ].map(({ keyHash }) => keyHash)
  expect(new Set(hashes).size).toBe(4)
})

test('what is kept shows neither id nor token nor key', () => {
  const kept = JSON.stringify(wrapAnswer(replayKey('caller', 'order-42', body), answer, 1000))
  for (const canary of ['CANARY', 'order-42', Buffer.from('CANARY').toString('base64url').slice(0, 7)]) {
    expect(kept).not.toContain(canary)
  }
})
