/** Encryption of short texts with a key that is derived from the key of the instance. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** In bytes. */
const NONCE = 12
const TAG = 16

export type TextCipher = ReturnType<typeof createTextCipher>

/**
 * ChaCha20-Poly1305 with a key derived from `key` (32 bytes) for one purpose, such as `mayfly/v1/sealed-cookie`.
 * Ciphertexts are base64url. `context`: owner of the text, so that the ciphertext cannot be moved elsewhere; not
 * encrypted.
 */
export function createTextCipher(key: Buffer, purpose: string) {
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 32))

  function encrypt(text: string, context = ''): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('chacha20-poly1305', derived, nonce, { authTagLength: TAG })
    cipher.setAAD(Buffer.from(context), { plaintextLength: Buffer.byteLength(text) })
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Null when the text was not encrypted with this key, purpose and context, or was changed. */
  function decrypt(ciphertext: string, context = ''): string | null {
    const bytes = Buffer.from(ciphertext, 'base64url')
    if (bytes.length < NONCE + TAG) return null
    const decipher = createDecipheriv('chacha20-poly1305', derived, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAuthTag(bytes.subarray(-TAG))
    decipher.setAAD(Buffer.from(context), { plaintextLength: bytes.length - NONCE - TAG })
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString()
    } catch {
      return null
    }
  }

  return { encrypt, decrypt }
}
