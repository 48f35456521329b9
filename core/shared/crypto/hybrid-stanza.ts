/** The stanza mlkem768x25519 of age: the file key, encrypted by HPKE (RFC 9180) in base mode. */

import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { loadCipher } from '#cipher'
import { loadKem } from '#hybrid-kem'
import type { Stanza } from './age-file.js'

const INFO = utf8ToBytes('age-encryption.org/mlkem768x25519')
/** Identifiers of MLKEM768-X25519, HKDF-SHA256 and ChaCha20Poly1305. */
const SUITE = concatBytes(utf8ToBytes('HPKE'), hexToBytes('647a00010003'))
const VERSION = utf8ToBytes('HPKE-v1')
const EMPTY = new Uint8Array()

/** `publicKey`: 1,216 bytes. */
export async function wrapFileKey(fileKey: Uint8Array, publicKey: Uint8Array): Promise<Stanza> {
  const { cipherText, sharedSecret } = await (await loadKem()).encapsulate(publicKey)
  const { cipher, nonce } = await startContext(sharedSecret)
  return { line: `mlkem768x25519 ${base64nopad.encode(cipherText)}`, body: await cipher.encrypt(nonce, fileKey) }
}

/** `encapsulated`: 1,120 bytes. `seed`: 32 bytes. Rejects if the stanza is for another key. */
export async function unwrapFileKey(encapsulated: Uint8Array, body: Uint8Array, seed: Uint8Array): Promise<Uint8Array> {
  const { cipher, nonce } = await startContext(await (await loadKem()).decapsulate(encapsulated, seed))
  return cipher.decrypt(nonce, body)
}

async function startContext(sharedSecret: Uint8Array) {
  const mode = new Uint8Array(1)
  const context = concatBytes(
    mode,
    extractLabeled(EMPTY, 'psk_id_hash', EMPTY),
    extractLabeled(EMPTY, 'info_hash', INFO),
  )
  const secret = extractLabeled(sharedSecret, 'secret', EMPTY)
  const importKey = await loadCipher()
  return {
    cipher: await importKey(expandLabeled(secret, 'key', context, 32)),
    nonce: expandLabeled(secret, 'base_nonce', context, 12),
  }
}

const extractLabeled = (salt: Uint8Array, label: string, key: Uint8Array): Uint8Array =>
  extract(sha256, concatBytes(VERSION, SUITE, utf8ToBytes(label), key), salt)

/** `length`: less than 256. */
const expandLabeled = (secret: Uint8Array, label: string, info: Uint8Array, length: number): Uint8Array =>
  expand(sha256, secret, concatBytes(Uint8Array.of(0, length), VERSION, SUITE, utf8ToBytes(label), info), length)
