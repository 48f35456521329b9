/**
 * Recipient strings of the hybrid age keys (ML-KEM-768 + X25519) of secret requests. Imports no public-key cryptography,
 * because the server only checks and stores them.
 */
import { bech32 } from '@scure/base'

const PREFIX = 'age1pq'
const KEY_LENGTH = 1216

/** Length of a recipient string in characters. */
export const RECIPIENT_LENGTH = 1959

/** True if prefix, length and checksum are those of a hybrid recipient. */
export function isRecipient(text: string): boolean {
  if (text.length !== RECIPIENT_LENGTH || !text.startsWith(`${PREFIX}1`)) return false
  try {
    // Without the limit of 90 characters, which is for payment addresses.
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
    return prefix === PREFIX && bech32.fromWords(words).length === KEY_LENGTH
  } catch {
    return false
  }
}
