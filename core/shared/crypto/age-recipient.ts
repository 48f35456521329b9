/**
 * Encryption and decryption of age files for a hybrid post-quantum recipient (ML-KEM-768 + X25519). Contains the public-key
 * half of age-encryption: load it only where a request is created, answered or collected.
 */
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { isRecipient } from '../recipient.js'
import { DecryptError, readAll, toStream } from './age.js'

/** Maximum length of a header with one hybrid stanza: five lines of known length. */
const HEADER_MAX = 2048
/** One mlkem768x25519 stanza (1120 bytes of encapsulated key), its 32-byte body, the header's MAC. */
const ONE_HYBRID_STANZA =
  /^age-encryption\.org\/v1\n-> mlkem768x25519 [A-Za-z0-9+/]{1494}\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/

/** Computes the recipient string "age1pq1..." of an identity. */
export const toRecipient = (identity: string): Promise<string> => identityToRecipient(identity)

/** Encrypts for one recipient. Throws RangeError if `recipient` is not a hybrid recipient. */
export async function encryptTo(plaintext: Uint8Array, recipient: string): Promise<Uint8Array> {
  if (!isRecipient(recipient)) throw new RangeError('this is not an age1pq recipient')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const sealed = await encrypter.encrypt(toStream(plaintext))
  return readAll(sealed, sealed.size(plaintext.length))
}

/**
 * Decrypts an age file with an identity. Throws DecryptError `hostile` before any work unless there is exactly one stanza, of
 * the hybrid type, and `wrong-key` if decryption fails.
 */
export async function decryptWith(file: Uint8Array, identity: string): Promise<Uint8Array> {
  if (!ONE_HYBRID_STANZA.test(String.fromCharCode(...file.subarray(0, HEADER_MAX)))) {
    throw new DecryptError('hostile', 'this is not a submission: it is encrypted in another way')
  }
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    const plaintext = await decrypter.decrypt(toStream(file))
    return await readAll(plaintext, plaintext.size(file.length))
  } catch (cause) {
    throw new DecryptError('wrong-key', 'the collect link does not open this submission', { cause })
  }
}
