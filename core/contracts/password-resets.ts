/** Links with which users set a new password. */
import type { User } from './users.js'

export interface PasswordReset {
  /** Hex SHA-256 of the token in the link. */
  hash: string
  userId: string
  /** The address that got the link, which the reset proves; null: unknown. */
  email: string | null
  /** Epoch ms. */
  expiresAt: number
}

/**
 * Times are epoch ms and always passed in. For every method a reset is absent that has expired, or whose `email` is no longer
 * the address of the user: the former address may belong to someone else.
 */
export interface PasswordResetStore {
  /** A user can have several. Throws AppError `storage.conflict` for an unknown user. */
  create(reset: PasswordReset): Promise<void>
  /** The user of a reset. */
  find(hash: string, now: number): Promise<User | null>
  /**
   * Sets the password of the user, which then need not be changed, ends all sessions, and deletes all API tokens and all resets
   * of the user, in one transaction. The address of the reset, if known, is verified at `now`, unless it was before. Returns the
   * user to exactly one of several concurrent callers, null to the others.
   */
  use(hash: string, passwordHash: string, now: number): Promise<User | null>
  /** Deletes up to `limit` expired resets, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
