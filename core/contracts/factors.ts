/** Second factors of accounts: passkeys, an authenticator app, and recovery codes in their place. */
import type { OutboxEvent } from './outbox.js'
import type { User } from './users.js'

export interface Passkey {
  /** Id shown to the user, independent of the one at the authenticator. */
  id: string
  userId: string
  /** Id at the authenticator: 16 to 1023 bytes as base64url. */
  credentialId: string
  /** COSE key as base64url. */
  publicKey: string
  /** Number of uses, as the authenticator counts them; 0 if it does not. */
  counter: number
  /** How browsers reach the authenticator, such as `usb`. */
  transports: string[]
  /** The provider of the passkey keeps a copy. */
  backedUp: boolean
  /** Up to 64 characters. */
  name: string
  createdAt: number
  /** null: never used. */
  usedAt: number | null
  /** Security epoch of the account when it was added, see `User.epoch`. */
  epoch: number
}

/** An authenticator app (TOTP). */
export interface Authenticator {
  userId: string
  /** Encrypted with a key that the storage does not have. */
  secret: string
  createdAt: number
  /** null: never used. */
  usedAt: number | null
  /** Number of the time step of the last accepted code. */
  lastStep: number
  /** As for a passkey. */
  epoch: number
}

/** How a factor is added. */
export interface AddFactor {
  /** Hashes, stored with the first factor of the account only. */
  recoveryCodes: string[]
  /** Id of the session that the first factor does not end; null: it ends all. */
  keepSession: string | null
  now: number
  /** Stored in the same transaction. */
  events?: OutboxEvent[]
}

/** How a factor is removed. */
export interface RemoveFactor {
  /**
   * Throws AppError `auth.last_factor` and changes nothing if it is the only factor of the account, also under
   * concurrency.
   */
  unlessLast?: boolean
  /** Stored in the same transaction. */
  events?: OutboxEvent[]
}

/** The factors of an account. */
export interface Factors {
  /** Oldest first. */
  passkeys: Passkey[]
  authenticator: Authenticator | null
  /** Number of unused codes. */
  recoveryCodes: number
}

/** A use of a passkey. */
export interface PasskeyUse {
  /** Changes nothing if the stored counter is another one. */
  from: number
  counter: number
  backedUp: boolean
  usedAt: number
}

/**
 * Times are epoch ms and always passed in. Ids and hashes are compared bytewise. Rows whose security epoch differs from
 * their user's epoch are absent for every method. `User.secondFactor` is true exactly if the user has a passkey or an
 * authenticator app; it changes in the same transaction. The last of them is removed together with the recovery codes.
 */
export interface FactorStore {
  /**
   * Adds a passkey. True if it is the first factor of the user: then it also replaces the recovery codes, ends all
   * sessions but one, and makes that one of level 2, proven at `now`. Throws AppError `storage.conflict` if a passkey
   * with this credential exists or the user has `max`, `user.not_found`, and `auth.required` if the session has ended.
   */
  addPasskey(passkey: Passkey, max: number, options: AddFactor): Promise<boolean>
  /** With the current data of its user. */
  findPasskey(credentialId: string): Promise<{ passkey: Passkey; user: User } | null>
  /** True for exactly one of several concurrent callers with the same `from`, if the counter differs. */
  recordPasskeyUse(id: string, use: PasskeyUse): Promise<boolean>
  /** False for an unknown passkey, also of another user. So does `removePasskey`. */
  renamePasskey(id: string, userId: string, name: string): Promise<boolean>
  /** As `addPasskey`. Throws AppError `storage.conflict` if the user has an authenticator app. */
  addAuthenticator(authenticator: Authenticator, options: AddFactor): Promise<boolean>
  getAuthenticator(userId: string): Promise<Authenticator | null>
  /** Any authenticator app of any user, to check the key of their secrets. Null: no account has one. */
  findAnyAuthenticator(): Promise<Authenticator | null>
  /** Accepts a time step later than the last one: true for exactly one of several concurrent callers. */
  takeStep(userId: string, step: number, now: number): Promise<boolean>
  list(userId: string): Promise<Factors>
  /** Replaces all recovery codes. False if the user does not have a factor. */
  replaceRecoveryCodes(userId: string, hashes: string[], events?: OutboxEvent[]): Promise<boolean>
  /** Deletes a recovery code: true for exactly one of several concurrent callers. */
  takeRecoveryCode(userId: string, hash: string): Promise<boolean>
  removePasskey(id: string, userId: string, options?: RemoveFactor): Promise<boolean>
  /** False if there is none. */
  removeAuthenticator(userId: string, options?: RemoveFactor): Promise<boolean>
  /**
   * Removes all factors and recovery codes of a user and ends the user's sessions. False if there is no factor and
   * `User.secondFactor` is false: it also helps a user whose factors were lost.
   */
  reset(userId: string, events?: OutboxEvent[]): Promise<boolean>
}
