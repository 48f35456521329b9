/** API tokens: what programs show instead of a person's password. */
import type { User } from './users.js'

export type Scope = 'secrets:create' | 'secrets:read' | 'account' | 'admin'

export interface ApiToken {
  /** The part of the token that names it: 8 characters. Unique. */
  id: string
  /** Hex SHA-256 of the part that is secret. */
  hash: string
  userId: string
  name: string
  scopes: Scope[]
  createdAt: number
  /** null: never. */
  usedAt: number | null
  /** From then on it is absent. */
  expiresAt: number
  /** How many secrets may still be made with it; null: any number. */
  secretsLeft: number | null
  /** How many bytes of text and files those may still have, as stored; null: any number. */
  bytesLeft: number | null
  /** IP address or CIDR range that it may be used from; null: any. */
  allowedIp: string | null
}

/** Times are epoch ms and always passed in. */
export interface TokenStore {
  /**
   * A taken id throws AppError `storage.conflict`, as does one more than the `most` that a user may have. A user who is
   * not there throws `user.not_found`.
   */
  create(token: ApiToken, most: number, now: number): Promise<void>
  /** With its user as they are now. */
  find(id: string, now: number): Promise<{ token: ApiToken; user: User } | null>
  /** Those of a user, newest first. */
  list(userId: string, now: number): Promise<ApiToken[]>
  /** True for the one caller that did. A token of somebody else is absent. */
  remove(id: string, userId: string): Promise<boolean>
  /** Notes that it was used. */
  used(id: string, now: number): Promise<void>
  /**
   * Takes one secret of so many bytes from what is left. False when that is not enough, and then nothing is taken.
   * However many race, no more is granted than there was.
   */
  spend(id: string, bytes: number, now: number): Promise<boolean>
  /** Gives back what `spend` took for a secret that was not made after all. */
  refund(id: string, bytes: number): Promise<void>
  /** Forgets up to `limit` that have expired; answers how many. */
  sweep(now: number, limit: number): Promise<number>
}
