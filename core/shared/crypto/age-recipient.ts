/**
 * Encryption and decryption of age files for a hybrid post-quantum recipient (ML-KEM-768 + X25519). On Node.js it
 * contains the public-key cryptography: load it only where a request is created, answered or collected.
 */

import { concatBytes } from '@noble/hashes/utils.js'
import { base64nopad, bech32 } from '@scure/base'
import { loadCipher } from '#cipher'
import { loadKem } from '#hybrid-kem'
import { formatRecipient, isRecipient, parseRecipient } from '../recipient.js'
import { DecryptError } from './age.js'
import { decryptFile, encryptFile } from './age-file.js'
import { unwrapFileKey, wrapFileKey } from './hybrid-stanza.js'

/** Maximum length of a header with one hybrid stanza: five lines of known length. */
const HEADER_MAX = 2048
/** One mlkem768x25519 stanza (1120 bytes of encapsulated key), its 32-byte body, the header's MAC. */
const ONE_HYBRID_STANZA =
  /^age-encryption\.org\/v1\n-> mlkem768x25519 ([A-Za-z0-9+/]{1494})\n([A-Za-z0-9+/]{43})\n--- [A-Za-z0-9+/]{43}\n/

/** Computes the recipient string "age1pq1..." of an identity. */
export async function toRecipient(identity: string): Promise<string> {
  const kem = await loadKem()
  return formatRecipient(await kem.getPublicKey(seedOf(identity)))
}

/** Encrypts for one recipient. Throws RangeError if `recipient` is not a hybrid recipient. */
export async function encryptTo(plaintext: Uint8Array, recipient: string): Promise<Uint8Array> {
  if (!isRecipient(recipient)) throw new RangeError('this is not an age1pq recipient')
  const wrap = (fileKey: Uint8Array) => wrapFileKey(fileKey, parseRecipient(recipient))
  return concatBytes(...(await encryptFile(plaintext, wrap, await loadCipher())))
}

/**
 * Decrypts an age file with an identity. Throws DecryptError `hostile` before any work unless there is exactly one
 * stanza, of the hybrid type, and `wrong-key` if decryption fails.
 */
export async function decryptWith(file: Uint8Array, identity: string): Promise<Uint8Array> {
  const found = ONE_HYBRID_STANZA.exec(String.fromCharCode(...file.subarray(0, HEADER_MAX)))
  if (!found) throw new DecryptError('hostile', 'this is not a submission: it is encrypted in another way')
  const [header, encapsulated = '', body = ''] = found
  const seed = seedOf(identity)
  const [importKey] = await Promise.all([loadCipher(), loadKem()])
  try {
    const fileKey = await unwrapFileKey(base64nopad.decode(encapsulated), base64nopad.decode(body), seed)
    return await decryptFile({ file, header, fileKey, importKey })
  } catch (cause) {
    throw new DecryptError('wrong-key', 'the collect link does not open this submission', { cause })
  }
}

/** 32 bytes. Throws if the identity is not valid. */
function seedOf(identity: string): Uint8Array {
  const { prefix, bytes } = bech32.decodeToBytes(identity)
  if (prefix !== 'age-secret-key-pq-' || bytes.length !== 32) throw new RangeError('this is not a hybrid identity')
  return bytes
}
