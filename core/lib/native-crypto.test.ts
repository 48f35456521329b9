/** The build replaces ciphers and hashes in JavaScript by those of node:crypto. Both have to agree on every byte. */
import { randomBytes } from 'node:crypto'
import { chacha20poly1305 as portableCipher } from '@noble/ciphers/chacha.js'
import { scrypt as portableScrypt } from '@noble/hashes/scrypt.js'
import { expect, test } from 'vitest'
import { chacha20poly1305 } from './native-chacha.js'
import { scrypt, scryptAsync } from './native-scrypt.js'

const bytes = (length: number) => new Uint8Array(randomBytes(length))

test.each([0, 1, 15, 16, 17, 63, 64, 65, 65_536])('ChaCha20-Poly1305 of %i bytes is that of JavaScript', (length) => {
  const [key, nonce, plaintext] = [bytes(32), bytes(12), bytes(length)]
  const sealed = chacha20poly1305(key, nonce).encrypt(plaintext)
  expect(sealed).toEqual(portableCipher(key, nonce).encrypt(plaintext))
  expect(chacha20poly1305(key, nonce).decrypt(sealed)).toEqual(plaintext)
})

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

test.each([
  [2, 8, 1],
  [1024, 8, 3],
  [2 ** 15, 8, 3],
])('scrypt with N %i, r %i, p %i is that of JavaScript', async (N, r, p) => {
  const [password, salt, cost] = [bytes(20), bytes(16), { N, r, p, dkLen: 32 }]
  const expected = portableScrypt(password, salt, cost)
  expect(scrypt(password, salt, cost)).toEqual(expected)
  expect(await scryptAsync(password, salt, cost)).toEqual(expected)
})
