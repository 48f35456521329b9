/** Links in e-mails that work once: for a new password, and to prove that a user reads the messages of an address. */

import type { EpochMs } from '../shared/epoch-ms.js'
import type { LockOut, User } from './users.js'

export type LinkPurpose = 'password-reset' | 'email-verification'

export interface OneTimeLink {
  /** Hex SHA-256 of the token in the link. */
  hash: string
  purpose: LinkPurpose
  userId: string
  /** The address that got the link, which its use proves; null: unknown, for `password-reset` only. */
  email: string | null
  expiresAt: EpochMs
  /** Security epoch of the account when it was created, see `User.epoch`. */
  epoch: number
}

/**
 * Times are epoch ms and always passed in. A link is absent for every method if it has another purpose, has expired,
 * its `epoch` differs from the user's epoch, or its `email` is no longer the address of the user: the former address
 * may belong to someone else. A use returns the user to exactly one of several concurrent callers, null to the others.
 */
export interface OneTimeLinkStore {
  /** A user can have several. Throws AppError `storage.conflict` for an unknown user. */
  create(link: OneTimeLink): Promise<void>
  /** The user of a link for a new password. */
  findReset(hash: string, now: number): Promise<User | null>
  /**
   * Locks everyone out as `UserStore.lockOut`, with the same transaction. The address of the link, if known, is
   * verified at `now`, unless it was before.
   */
  resetPassword(hash: string, order: Omit<LockOut, 'ifEmail'>, now: number): Promise<User | null>
  /**
   * Marks the address of the user as verified at `now`, and deletes all links of the user with this purpose, in one
   * transaction.
   */
  verifyEmail(hash: string, now: number): Promise<User | null>
  /** Deletes up to `limit` expired links, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
