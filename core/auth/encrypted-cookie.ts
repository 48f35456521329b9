/** Encryption of the redirect-state cookie: the browser can neither read nor change it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** In bytes. */
const NONCE = 12
const TAG = 16

export type CookieCipher = ReturnType<typeof createCookieCipher>

/** ChaCha20-Poly1305 with a key derived from `key` (32 bytes). Ciphertexts are base64url. */
export function createCookieCipher(key: Buffer) {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'mayfly/v1/sealed-cookie', 32))

  function encrypt(text: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('chacha20-poly1305', derived, nonce, { authTagLength: TAG })
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Null when the text was not encrypted with this key, or was changed. */
  function decrypt(ciphertext: string): string | null {
    const bytes = Buffer.from(ciphertext, 'base64url')
    if (bytes.length < NONCE + TAG) return null
    const decipher = createDecipheriv('chacha20-poly1305', derived, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAuthTag(bytes.subarray(-TAG))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString()
    } catch {
      return null
    }
  }

  return { encrypt, decrypt }
}
