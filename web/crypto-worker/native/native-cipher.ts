/** ChaCha20-Poly1305 of the browser, or the one in JavaScript in browsers and pages without it. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Cipher, ImportKey } from '#shared/crypto/portable-cipher'
import { loadOnce } from './load-once.js'

const NAME = 'ChaCha20-Poly1305'
/** The key of the self-test, which is its plaintext as well, and begins with its nonce. */
const TEST_KEY = Uint8Array.from({ length: 32 }, (_, index) => index)
const TEST_CIPHERTEXT =
  '89fa0a032d12a347bf8a35f89410006cd961a0f44561bbaefe8e35de69ddb8231da36a43a80d791dbb0a86dab57c9678'

/**
 * Returns the native cipher if it passes a self-test, which runs once. Pages over plain http have no WebCrypto. Rejects
 * with an error named NetworkError if the cipher in JavaScript cannot be fetched.
 */
export const loadCipher: () => Promise<ImportKey> = /* @__PURE__ */ loadOnce(
  async () => {
    await testCipher(await importKey(TEST_KEY))
    return importKey
  },
  async () => (await import('#shared/crypto/portable-cipher')).loadCipher(),
)

async function importKey(bytes: Uint8Array): Promise<Cipher> {
  const { subtle } = globalThis.crypto
  // TypeScript does not know this format and the parameters of this algorithm yet.
  const key = await subtle.importKey('raw-secret' as 'raw', bytes as BufferSource, NAME, false, ['encrypt', 'decrypt'])
  const toParams = (iv: Uint8Array) => ({ name: NAME, iv })
  return {
    encrypt: async (nonce, plaintext) =>
      new Uint8Array(await subtle.encrypt(toParams(nonce), key, plaintext as BufferSource)),
    decrypt: async (nonce, ciphertext) =>
      new Uint8Array(await subtle.decrypt(toParams(nonce), key, ciphertext as BufferSource)),
  }
}

/** Rejects unless the cipher computes the known ciphertext, decrypts it, and rejects a changed tag. */
async function testCipher({ encrypt, decrypt }: Cipher): Promise<void> {
  const nonce = TEST_KEY.subarray(0, 12)
  const ciphertext = hexToBytes(TEST_CIPHERTEXT)
  const forged = ciphertext.slice()
  forged[ciphertext.length - 1] = (ciphertext.at(-1) as number) ^ 1
  const isForgeryAccepted = await Promise.resolve(decrypt(nonce, forged)).then(
    () => true,
    () => false,
  )
  const isRight =
    bytesToHex(await encrypt(nonce, TEST_KEY)) === TEST_CIPHERTEXT &&
    bytesToHex(await decrypt(nonce, ciphertext)) === bytesToHex(TEST_KEY)
  if (!isRight || isForgeryAccepted) throw new Error('the native cipher is wrong')
}
