/**
 * Recipient strings of the hybrid age keys (ML-KEM-768 + X25519) of secret requests. Imports no public-key
 * cryptography, because the server only checks and stores them.
 */
import { bech32 } from '@scure/base'

const PREFIX = 'age1pq'
const KEY_LENGTH = 1216

/** Length of a recipient string in characters. */
export const RECIPIENT_LENGTH = 1959

/** True if prefix, length and checksum match a hybrid recipient. */
export function isRecipient(text: string): boolean {
  if (text.length !== RECIPIENT_LENGTH || !text.startsWith(`${PREFIX}1`)) return false
  try {
    return parseRecipient(text).length === KEY_LENGTH
  } catch {
    return false
  }
}

/** Returns the public key. Throws if the prefix or the checksum is wrong. */
export function parseRecipient(text: string): Uint8Array {
  // Without the limit of 90 characters, which is for payment addresses.
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
  if (prefix !== PREFIX) throw new RangeError('this is not an age1pq recipient')
  return bech32.fromWords(words)
}

export const formatRecipient = (publicKey: Uint8Array): string =>
  bech32.encode(PREFIX, bech32.toWords(publicKey), false)
