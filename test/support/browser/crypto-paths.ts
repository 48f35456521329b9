/** The native and the portable cryptography of the page: where each runs. */
import type { PageOptions } from './run-in-chromium.js'

/** Lets WebCrypto refuse keys of algorithms, as in browsers that do not have them. */
export const withoutAlgorithms = (...names: string[]): string => `{
  const { importKey } = SubtleCrypto.prototype
  SubtleCrypto.prototype.importKey = function (format, key, algorithm, ...rest) {
    if (${JSON.stringify(names)}.includes(algorithm.name ?? algorithm))
      return Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError'))
    return importKey.call(this, format, key, algorithm, ...rest)
  }
}`

/** Changes the last byte of what `method` of WebCrypto returns. */
const withWrong = (method: string): string => `{
  const right = SubtleCrypto.prototype.${method}
  SubtleCrypto.prototype.${method} = async function (...args) {
    const result = await right.apply(this, args)
    const bytes = new Uint8Array(result.sharedKey ?? result)
    bytes[bytes.length - 1] ^= 1
    return result
  }
}`

/** Decryption that does not check the tag: it returns zeros for forged ciphertext. */
const WITHOUT_TAG_CHECK = `{
  const { decrypt } = SubtleCrypto.prototype
  SubtleCrypto.prototype.decrypt = async function (algorithm, key, bytes) {
    return decrypt.call(this, algorithm, key, bytes).catch(() => new ArrayBuffer(bytes.byteLength - 16))
  }
}`

/** Where the cipher in JavaScript is used instead. */
export const PORTABLE_CIPHER: [name: string, options: PageOptions][] = [
  ['without ChaCha20-Poly1305 in WebCrypto', { initScript: withoutAlgorithms('ChaCha20-Poly1305') }],
  ['over plain http', { isPlainHttp: true }],
  ['with wrong ciphertexts of WebCrypto', { initScript: withWrong('encrypt') }],
  ['with wrong plaintexts of WebCrypto', { initScript: withWrong('decrypt') }],
  ['with a WebCrypto that does not check tags', { initScript: WITHOUT_TAG_CHECK }],
]

/** Where the key encapsulation in JavaScript is used instead. */
export const PORTABLE_KEM: [name: string, options: PageOptions][] = [
  ['without ML-KEM-768 in WebCrypto', { initScript: withoutAlgorithms('ML-KEM-768') }],
  ['without X25519 in WebCrypto', { initScript: withoutAlgorithms('X25519') }],
  ['over plain http', { isPlainHttp: true }],
  ['with wrong shared secrets of WebCrypto', { initScript: withWrong('decapsulateBits') }],
  ['with wrong points of WebCrypto', { initScript: withWrong('deriveBits') }],
]
