/** Links with which users prove that they read the messages of their e-mail address. */
import type { User } from './users.js'

export interface EmailVerification {
  /** Hex SHA-256 of the token in the link. */
  hash: string
  userId: string
  /** The address that the link proves. */
  email: string
  /** Epoch ms. */
  expiresAt: number
}

/** Times are epoch ms and always passed in. Expired verifications are absent for every method. */
export interface EmailVerificationStore {
  /** A user can have several. Throws AppError `storage.conflict` for an unknown user. */
  create(verification: EmailVerification): Promise<void>
  /**
   * Marks the address of the user as verified at `now`, and deletes all verifications of the user, in one transaction. Returns
   * the user to exactly one of several concurrent callers, null to the others. Null also if the user has another address now:
   * then it changes nothing.
   */
  use(hash: string, now: number): Promise<User | null>
  /** Deletes up to `limit` expired verifications, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
