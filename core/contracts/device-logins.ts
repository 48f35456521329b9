/** Sign-ins of programs that a user approves in a browser, after RFC 8628. */
import type { OutboxEvent } from './outbox.js'
import type { ApiToken, Scope } from './tokens.js'
import type { User } from './users.js'

export interface DeviceLogin {
  /** Hex SHA-256 of the device code, which only the program has. Unique. */
  hash: string
  /** Hex SHA-256 of the user code, which the user enters or compares in the browser. Unique. */
  userCodeHash: string
  /** Name that the program gives itself, and its token. */
  client: string
  scopes: Scope[]
  /** Normalized IP address of the program; null: unknown. */
  address: string | null
  createdAt: number
  expiresAt: number
}

export interface DeviceDecision {
  userCodeHash: string
  userId: string
  /** Security epoch of the account, see `User.epoch`. */
  epoch: number
  /** Session of the user that decides; null: no session. */
  sessionId: string | null
  approve: boolean
}

/** State of a login for the program. */
export type DeviceLoginState = { state: 'pending' } | { state: 'denied' } | { state: 'approved'; user: User }

export interface DeviceClaim {
  hash: string
  /** `userId` and `epoch`: copied from the approval. */
  token: ApiToken
  /** Maximum number of tokens of the user. */
  max: number
  events: OutboxEvent[]
}

/**
 * Times are epoch ms and always passed in. A login is absent for every method if it has expired, or if the user who
 * decided it was deleted or has another security epoch now.
 */
export interface DeviceLoginStore {
  /** Stores a pending login. Throws AppError `storage.conflict` if one of its hashes exists. */
  create(login: DeviceLogin): Promise<void>
  /** The pending login of a user code. */
  findPending(userCodeHash: string, now: number): Promise<DeviceLogin | null>
  /**
   * Approves or denies a pending login. True for exactly one of several concurrent callers. Throws AppError
   * `auth.required` if the session was ended or the epoch differs from the user's epoch, which is checked in the same
   * transaction, or `user.not_found`.
   */
  decide(decision: DeviceDecision, now: number): Promise<boolean>
  find(hash: string, now: number): Promise<{ login: DeviceLogin; decision: DeviceLoginState } | null>
  /**
   * Deletes an approved login, and stores its token and `events` in the same transaction. True for exactly one of
   * several concurrent callers. Throws AppError `storage.conflict` if the user has `max` tokens already.
   */
  claim(claim: DeviceClaim, now: number): Promise<boolean>
  /** Deletes up to `limit` expired logins, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
