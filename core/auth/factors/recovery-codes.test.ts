import { expect, test } from 'vitest'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.js'

test('recovery codes are ten different ones of 80 bits, and only their hashes are stored', () => {
  const { codes, hashes } = createRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  expect(hashes).toEqual(codes.map(hashRecoveryCode))
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

test('case, hyphens, spaces and letters that look like digits do not matter', () => {
  const hash = hashRecoveryCode('01ab-cdef-gh0k-mnp1')
  for (const typed of ['01ABCDEFGH0KMNP1', ' o1ab cdef-ghOk-mnpL', '0iab-cdef-gh0k-mnpI'])
    expect(hashRecoveryCode(typed)).toBe(hash)
  expect(hashRecoveryCode('01ab-cdef-gh0k-mnp2')).not.toBe(hash)
})
