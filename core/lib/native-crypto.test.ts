/** The build replaces ciphers and hashes in JavaScript by node:crypto. Both have to agree on every byte. */
import { randomBytes } from 'node:crypto'
import { chacha20poly1305 as portableCipher } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { scrypt as portableScrypt } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { chacha20poly1305 } from './native-chacha.js'
import * as native from './native-hashes.js'
import { scrypt, scryptAsync } from './native-scrypt.js'

const bytes = (length: number) => new Uint8Array(randomBytes(length))

test.each([0, 1, 15, 16, 17, 63, 64, 65, 65_536])(
  'ChaCha20-Poly1305 of %i bytes equals the JavaScript implementation',
  (length) => {
    const [key, nonce, plaintext] = [bytes(32), bytes(12), bytes(length)]
    const sealed = chacha20poly1305(key, nonce).encrypt(plaintext)
    expect(sealed).toEqual(portableCipher(key, nonce).encrypt(plaintext))
    expect(chacha20poly1305(key, nonce).decrypt(sealed)).toEqual(plaintext)
  },
)

test('ChaCha20-Poly1305 keeps no reference to buffers that the caller uses again', () => {
  const [key, nonce, plaintext] = [bytes(32), bytes(12), bytes(100)]
  const copy = plaintext.slice()
  const sealed = chacha20poly1305(key, nonce).encrypt(plaintext)
  plaintext.fill(0)
  expect(chacha20poly1305(key, nonce).decrypt(sealed)).toEqual(copy)
})

test('ChaCha20-Poly1305 throws for any changed byte, another key or nonce, and a short ciphertext', () => {
  const [key, nonce] = [bytes(32), bytes(12)]
  const sealed = chacha20poly1305(key, nonce).encrypt(bytes(20))
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice()
    changed[at] = (changed[at] as number) ^ 1
    expect(() => chacha20poly1305(key, nonce).decrypt(changed)).toThrow()
  }
  expect(() => chacha20poly1305(bytes(32), nonce).decrypt(sealed)).toThrow()
  expect(() => chacha20poly1305(key, bytes(12)).decrypt(sealed)).toThrow()
  for (const length of [0, 1, 15, 16]) {
    expect(() => chacha20poly1305(key, nonce).decrypt(sealed.subarray(0, length))).toThrow()
  }
})

test.each([0, 1, 63, 64, 65, 1000])(
  'SHA-256, HMAC and HKDF of %i bytes equal the JavaScript implementation',
  (length) => {
    const [data, key, salt] = [bytes(length), bytes(length), bytes(16)]
    expect(native.sha256(data)).toEqual(sha256(data))
    expect(native.hmac(sha256, key, data)).toEqual(hmac(sha256, key, data))
    for (const used of [salt, new Uint8Array(), undefined]) {
      const info = utf8ToBytes('info')
      expect(native.hkdf(sha256, data, used, info, 80)).toEqual(hkdf(sha256, data, used, info, 80))
    }
  },
)

test.each([
  [2, 8, 1],
  [1024, 8, 3],
  [2 ** 15, 8, 1],
])('scrypt with N %i, r %i, p %i equals the JavaScript implementation', async (N, r, p) => {
  const [password, salt, cost] = [bytes(20), bytes(16), { N, r, p, dkLen: 32 }]
  const expected = portableScrypt(password, salt, cost)
  expect(scrypt(password, salt, cost)).toEqual(expected)
  expect(await scryptAsync(password, salt, cost)).toEqual(expected)
})

// CRY-02
test.each([
  [
    '',
    '',
    16,
    1,
    1,
    '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
  ],
  [
    'password',
    'NaCl',
    1024,
    8,
    16,
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
  ],
  [
    'pleaseletmein',
    'SodiumChloride',
    16384,
    8,
    1,
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
  ],
])('CRY-02: scrypt of %j and %j matches RFC 7914', (password, salt, N, r, p, expected) => {
  for (const stretch of [scrypt, portableScrypt]) {
    const key = stretch(utf8ToBytes(password), utf8ToBytes(salt), { N, r, p, dkLen: 64 })
    expect(bytesToHex(key)).toBe(expected)
  }
})

test.each([
  [
    '000102030405060708090a0b0c',
    'f0f1f2f3f4f5f6f7f8f9',
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
  ],
  ['', '', '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8'],
])('CRY-02: HKDF-SHA-256 with salt %j and info %j matches RFC 5869', (salt, info, expected) => {
  expect(bytesToHex(hkdf(sha256, new Uint8Array(22).fill(11), hexToBytes(salt), hexToBytes(info), 42))).toBe(expected)
})

test('CRY-02: ChaCha20-Poly1305 matches RFC 8439, and a changed tag is refused', () => {
  const key = hexToBytes('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f')
  const cipher = () =>
    portableCipher(key, hexToBytes('070000004041424344454647'), hexToBytes('50515253c0c1c2c3c4c5c6c7'))
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
  const sealed = cipher().encrypt(utf8ToBytes(text))
  expect(bytesToHex(sealed.subarray(0, 16))).toBe('d31a8d34648e60db7b86afbc53ef7ec2')
  expect(bytesToHex(sealed.subarray(-16))).toBe('1ae10b594f09e26a7e902ecbd0600691')
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1
  expect(() => cipher().decrypt(sealed)).toThrow()
})

test('CRY-02: SHA-256 of abc matches FIPS 180-4', () => {
  expect(bytesToHex(sha256(utf8ToBytes('abc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
