/**
 * ChaCha20-Poly1305 (RFC 8439) in JavaScript. The build of the server and the CLI replaces it by node:crypto; browsers
 * load it only when they lack a native cipher.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'

/** A cipher with one key. */
export interface Cipher {
  /** Returns the ciphertext and its tag of 16 bytes. `nonce`: 12 bytes. */
  encrypt(nonce: Uint8Array, plaintext: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Throws, or rejects, if the ciphertext is not authentic. */
  decrypt(nonce: Uint8Array, ciphertext: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** `key`: 32 bytes. */
export type ImportKey = (key: Uint8Array) => Cipher | Promise<Cipher>

const importKey: ImportKey = (key) => ({
  encrypt: (nonce, plaintext) => chacha20poly1305(key, nonce).encrypt(plaintext),
  decrypt: (nonce, ciphertext) => chacha20poly1305(key, nonce).decrypt(ciphertext),
})

export const loadCipher = (): ImportKey | Promise<ImportKey> => importKey
