/** What a browser keeps for us and can neither read nor change. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

/** `key`: 32 bytes, of which this uses its own derivative. What is sealed is base64url. */
export function sealer(key: Buffer) {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'mayfly/v1/sealed-cookie', 32))

  function seal(text: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('chacha20-poly1305', own, nonce, { authTagLength: TAG })
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Null for everything that was not sealed with this key. */
  function open(sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < NONCE + TAG) return null
    const decipher = createDecipheriv('chacha20-poly1305', own, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAuthTag(bytes.subarray(-TAG))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString()
    } catch {
      return null
    }
  }

  return { seal, open }
}
