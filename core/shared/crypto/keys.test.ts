import { hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { formatFragment, parseFragment } from '../link.js'
import { accessProof, deriveKeys, newClaim, newLinkKey, partPassphrase, rawFileKey } from './keys.js'

interface Vectors {
  secrets: (Record<'S_hex' | 'fragment' | 'access' | 'age_passphrase', string> & {
    password?: string
    password_proof?: string
  })[]
  file_parts: { file_key_hex: string; part_passphrases: { index: number; passphrase: string }[] }
}
const vectors: Vectors = JSON.parse(readFileSync(new URL('../kdf-vectors.json', import.meta.url), 'utf8'))

describe('the key schedule gives every value of the vectors', () => {
  test.each(vectors.secrets)('CRY-02: $fragment $password', async (vector) => {
    const linkKey = hexToBytes(vector.S_hex)
    const keys = await deriveKeys(linkKey, vector.password)
    expect(formatFragment(linkKey)).toBe(vector.fragment)
    expect(bytesToHex(parseFragment(vector.fragment))).toBe(vector.S_hex)
    expect(accessProof(linkKey)).toBe(vector.access)
    expect(keys.access).toBe(vector.access)
    expect(keys.passphrase).toBe(vector.age_passphrase)
    expect(keys.passwordProof).toBe(vector.password_proof ?? null)
  })

  test.each(vectors.file_parts.part_passphrases)('CRY-02: part $index of a file', ({ index, passphrase }) => {
    expect(partPassphrase(hexToBytes(vectors.file_parts.file_key_hex), index)).toBe(passphrase)
  })

  test('CRY-02: the file contains all vectors', () => {
    expect(vectors.secrets).toHaveLength(5)
    expect(vectors.file_parts.part_passphrases).toHaveLength(4)
  })
})

test('CRY-02: the key of a file of a raw secret depends on key and id, by HKDF', () => {
  const rawKey = newLinkKey()
  const expected = hkdfSync('sha256', rawKey, '', 'mayfly/v1/raw-file/AAAAAAAAAAAAAAAAAAAAAA', 32)
  expect(rawFileKey(rawKey, 'AAAAAAAAAAAAAAAAAAAAAA')).toEqual(new Uint8Array(expected))
  expect(rawFileKey(rawKey, 'BBBBBBBBBBBBBBBBBBBBBA')).not.toEqual(new Uint8Array(expected))
})

test('a password in another Unicode normal form gives the same keys', async () => {
  const { S_hex, password = '', password_proof } = vectors.secrets[3] as Vectors['secrets'][number]
  expect(password.normalize('NFC')).not.toBe(password)
  const keys = await deriveKeys(hexToBytes(S_hex), password.normalize('NFC'))
  expect(keys.passwordProof).toBe(password_proof)
})

test('an empty password equals no password', async () => {
  const linkKey = newLinkKey()
  expect(await deriveKeys(linkKey, '')).toEqual(await deriveKeys(linkKey))
})

test('CRY-11: key generation fails without a CSPRNG', () => {
  const real = globalThis.crypto
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
  try {
    expect(() => newLinkKey()).toThrow()
    expect(() => newClaim()).toThrow()
  } finally {
    Object.defineProperty(globalThis, 'crypto', { value: real, configurable: true })
  }
})
