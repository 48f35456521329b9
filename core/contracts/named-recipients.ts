/**
 * Named recipients: only people who read the messages of these addresses may view a secret. The store has keyed hashes
 * of addresses and codes, which reveal neither.
 */
import type { EpochMs } from '../shared/epoch-ms.js'

export interface NamedRecipient {
  /** From 1, in the order of the request that created the secret. */
  number: number
  /** Hex HMAC-SHA-256. */
  addressHash: string
  /** Counted views of this recipient. */
  views: number
}

/** A code that was mailed to a recipient. */
export interface RecipientCode {
  secretId: string
  number: number
  /** Hex HMAC-SHA-256. */
  codeHash: string
  expiresAt: EpochMs
}
