/**
 * The hybrid key encapsulation of age, which is X-Wing: ML-KEM-768 and X25519 of the browser, or both in JavaScript in
 * browsers and pages without them.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { sha3_256, shake256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { HybridKem } from '#shared/crypto/portable-kem'
import { loadOnce } from './load-once.js'

const ML_KEM = 'ML-KEM-768'
const ML_KEM_SEED_SIZE = 64
const ML_KEM_PUBLIC_SIZE = 1184
const ML_KEM_CIPHERTEXT_SIZE = 1088
const X25519_SIZE = 32
const LABEL = utf8ToBytes('\\.//^\\')
/** Precedes the 32 bytes of a private key in PKCS #8, the only binary format that browsers import. */
const PKCS8_PREFIX = hexToBytes('302e020100300506032b656e04220420')
const BASE_POINT = Uint8Array.from({ length: X25519_SIZE }, (_, index) => (index === 0 ? 9 : 0))

/** Of the self-test: a seed, SHA-256 of its public key, and the shared secret of a ciphertext of zeros and 9. */
const TEST_SEED = Uint8Array.from({ length: 32 }, (_, index) => index)
const TEST_PUBLIC_SHA256 = 'c9a3565ffde4f72b51661be391ee13e46378d7f06dd5c8bf5af9d2cfb5b8336b'
const TEST_RESULT = 'c54fb02a1bc6ea986d54e27ddb6c44ef90f039ed76edca6eaf33d987eecff22a'

/** The methods of WebCrypto that TypeScript does not know yet. */
interface KemCrypto {
  importKey(
    format: 'raw-seed' | 'raw-public',
    bytes: Uint8Array,
    name: string,
    isExtractable: boolean,
    usages: string[],
  ): Promise<CryptoKey>
  getPublicKey(key: CryptoKey, usages: string[]): Promise<CryptoKey>
  exportKey(format: 'raw-public', key: CryptoKey): Promise<ArrayBuffer>
  encapsulateBits(name: string, key: CryptoKey): Promise<{ ciphertext: ArrayBuffer; sharedKey: ArrayBuffer }>
  decapsulateBits(name: string, key: CryptoKey, ciphertext: Uint8Array): Promise<ArrayBuffer>
}

/**
 * Returns the native key encapsulation if it passes a self-test, which runs once. Rejects with an error named
 * NetworkError if the one in JavaScript cannot be fetched.
 */
export const loadKem: () => Promise<HybridKem> = /* @__PURE__ */ loadOnce(
  async () => {
    await testKem()
    return { getPublicKey, encapsulate, decapsulate }
  },
  async () => (await import('#shared/crypto/portable-kem')).loadKem(),
)

async function getPublicKey(seed: Uint8Array): Promise<Uint8Array> {
  const { mlKem, x25519 } = await expandSeed(seed)
  const kem = toKemCrypto()
  const publicKey = await kem.exportKey('raw-public', await kem.getPublicKey(mlKem, ['encapsulateBits']))
  return concatBytes(new Uint8Array(publicKey), await multiply(x25519, BASE_POINT))
}

async function encapsulate(publicKey: Uint8Array) {
  const kem = toKemCrypto()
  const mlKemPublic = publicKey.slice(0, ML_KEM_PUBLIC_SIZE)
  const recipient = publicKey.slice(ML_KEM_PUBLIC_SIZE)
  const key = await kem.importKey('raw-public', mlKemPublic, ML_KEM, false, ['encapsulateBits'])
  const { ciphertext, sharedKey } = await kem.encapsulateBits(ML_KEM, key)
  const ephemeral = await importX25519(randomBytes(X25519_SIZE))
  const share = await multiply(ephemeral, BASE_POINT)
  const secrets = [new Uint8Array(sharedKey), await multiply(ephemeral, recipient)]
  return {
    cipherText: concatBytes(new Uint8Array(ciphertext), share),
    sharedSecret: combine(secrets, share, recipient),
  }
}

async function decapsulate(cipherText: Uint8Array, seed: Uint8Array): Promise<Uint8Array> {
  const { mlKem, x25519 } = await expandSeed(seed)
  const share = cipherText.slice(ML_KEM_CIPHERTEXT_SIZE)
  const mlKemSecret = await toKemCrypto().decapsulateBits(ML_KEM, mlKem, cipherText.slice(0, ML_KEM_CIPHERTEXT_SIZE))
  const secrets = [new Uint8Array(mlKemSecret), await multiply(x25519, share)]
  return combine(secrets, share, await multiply(x25519, BASE_POINT))
}

/** Derives the private keys of both algorithms. */
async function expandSeed(seed: Uint8Array): Promise<{ mlKem: CryptoKey; x25519: CryptoKey }> {
  const expanded = shake256(seed, { dkLen: ML_KEM_SEED_SIZE + X25519_SIZE })
  const mlKemSeed = expanded.slice(0, ML_KEM_SEED_SIZE)
  return {
    mlKem: await toKemCrypto().importKey('raw-seed', mlKemSeed, ML_KEM, true, ['decapsulateBits']),
    x25519: await importX25519(expanded.slice(ML_KEM_SEED_SIZE)),
  }
}

const combine = (secrets: Uint8Array[], share: Uint8Array, recipient: Uint8Array): Uint8Array =>
  sha3_256(concatBytes(...secrets, share, recipient, LABEL))

const importX25519 = (scalar: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', concatBytes(PKCS8_PREFIX, scalar) as BufferSource, 'X25519', false, ['deriveBits'])

/** Rejects if the result is zero. */
async function multiply(scalar: CryptoKey, point: Uint8Array): Promise<Uint8Array> {
  const peer = await crypto.subtle.importKey('raw', point as BufferSource, 'X25519', false, [])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'X25519', public: peer }, scalar, 8 * X25519_SIZE))
}

const toKemCrypto = () => crypto.subtle as unknown as KemCrypto

/** Rejects unless known results are computed, and an encapsulated secret is decapsulated. */
async function testKem(): Promise<void> {
  const publicKey = await getPublicKey(TEST_SEED)
  const zeros = concatBytes(new Uint8Array(ML_KEM_CIPHERTEXT_SIZE), BASE_POINT)
  const { cipherText, sharedSecret } = await encapsulate(publicKey)
  const isRight =
    bytesToHex(sha256(publicKey)) === TEST_PUBLIC_SHA256 &&
    bytesToHex(await decapsulate(zeros, TEST_SEED)) === TEST_RESULT &&
    bytesToHex(await decapsulate(cipherText, TEST_SEED)) === bytesToHex(sharedSecret)
  if (!isRight) throw new Error('the native key encapsulation is wrong')
}
