import { expect, test } from 'vitest'
import { createSecret, findStep, toAuthenticatorUri } from './authenticator.js'

/** `12345678901234567890` in base32, the secret of the test vectors of RFC 6238. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const STEP = 30_000

/** Of RFC 6238, appendix B, for SHA-1: seconds, and the 8 digits that end with the 6 of an app. */
const VECTORS: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
]

test.each(VECTORS)(
  'the code of RFC 6238 at %i s is accepted in its step and in the adjacent steps',
  async (seconds, long) => {
    const [now, code] = [seconds * 1000, long.slice(2)]
    const step = Math.floor(now / STEP)
    for (const drift of [-STEP, 0, STEP]) expect(await findStep(SECRET, code, now + drift)).toBe(step)
    for (const drift of [-2 * STEP, 2 * STEP]) expect(await findStep(SECRET, code, now + drift)).toBeNull()
  },
)

test('a code may have a space, and nothing else', async () => {
  expect(await findStep(SECRET, '287 082', 59_000)).toBe(1)
  for (const code of ['287083', '28708', '2870820', '']) expect(await findStep(SECRET, code, 59_000)).toBeNull()
})

test('secrets have 160 random bits, and the URI names issuer, user and secret', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, createSecret))
  expect(new Set(secrets).size).toBe(20)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(await toAuthenticatorUri(SECRET, { issuer: 'secrets.example.org', username: 'zoe' }))
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'secrets.example.org',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
