/** API tokens: credentials of programs. */
import type { OutboxEvent } from './outbox.js'
import type { User } from './users.js'

/** `admin` includes the scopes that begin with `admin:`. */
export type Scope =
  | 'secrets:create'
  | 'secrets:read'
  | 'account'
  | 'admin'
  | 'admin:read'
  | 'admin:users'
  | 'admin:settings'

export interface ApiToken {
  /** The public part of the token: 8 characters. Unique. */
  id: string
  /** Hex SHA-256 of the secret part. */
  hash: string
  userId: string
  name: string
  scopes: Scope[]
  createdAt: number
  /** null: never used. */
  usedAt: number | null
  /** The token is absent from this time on. */
  expiresAt: number
  /** Remaining quota of secrets; null: unlimited. */
  secretsLeft: number | null
  /** Remaining quota of bytes of texts and files, as stored; null: unlimited. */
  bytesLeft: number | null
  /** IP address or CIDR range from which it is valid; null: any. */
  allowedIp: string | null
  /** Security epoch of the account when it was created, see `User.epoch`. */
  epoch: number
}

/** Times are epoch ms and always passed in. */
export interface TokenStore {
  /**
   * Throws AppError `storage.conflict` for an existing id, and if the user has `max` tokens already; `user.not_found`
   * for an unknown user; and `auth.required` if the session `sessionId` of the user was ended, which is checked in the
   * same transaction, because the session can end while the request runs. null: no session. Stores `events` in the same
   * transaction.
   */
  create(input: {
    token: ApiToken
    max: number
    now: number
    events?: OutboxEvent[] | undefined
    sessionId?: string | null | undefined
  }): Promise<void>
  /** With the current data of its user. */
  find(id: string, now: number): Promise<{ token: ApiToken; user: User } | null>
  /** Tokens of a user, newest first. */
  list(userId: string, now: number): Promise<ApiToken[]>
  /**
   * True for the caller that deleted it. A token of another user is absent. Stores `events` in the same transaction.
   */
  remove(id: string, userId: string, events?: OutboxEvent[]): Promise<boolean>
  /** Updates `usedAt`. */
  markUsed(id: string, now: number): Promise<void>
  /**
   * Charges the quota for one secret of `bytes`. False: not enough is left, and nothing is charged. Exact under
   * concurrency.
   */
  spend(id: string, bytes: number, now: number): Promise<boolean>
  /** Refunds `spend` for a secret that was not created. */
  refund(id: string, bytes: number): Promise<void>
  /** Deletes up to `limit` expired tokens, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
