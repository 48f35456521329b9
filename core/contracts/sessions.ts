/** Sessions. A session is identified by its token, of which only a hash is stored. */
import type { User } from './users.js'

export interface Session {
  /** Id shown to the user. Independent of the token, and unchanged when that is rotated. */
  id: string
  userId: string
  /** Hex SHA-256. */
  tokenHash: string
  createdAt: number
  seenAt: number
  /** The session is absent from this time on, unless it is rotated before. */
  expiresAt: number
  /** Rotation never extends `expiresAt` past this time. */
  endsAt: number
  /** Readable label of the client: "Firefox on Windows". Up to 64 characters. */
  client: string
  /** Security epoch of the account when it was created, see `User.epoch`. */
  epoch: number
  /** 2: the user signed in with a second factor, or with a passkey. */
  level: 1 | 2
  /**
   * Last proof of the person: with a second factor or, for an account without one, by password or sign-in. Null: none.
   */
  provenAt: number | null
}

export interface FoundSession {
  session: Session
  user: User
  /**
   * `current`: the session's token. `previous`: the token before, within its grace period: another tab still uses it.
   * `reused`: the token before, after its grace period: it was copied.
   */
  token: 'current' | 'previous' | 'reused'
}

/** Times are epoch ms and always passed in. Expired sessions are absent for every method. */
export interface SessionStore {
  /**
   * Adds a session, keeps only the `max` newest ones of its user, and stores its time as the last sign-in. An unknown
   * user throws AppError `user.not_found`.
   */
  open(session: Session, max: number, now: number): Promise<void>
  /** With the current data of its user. */
  find(tokenHash: string, now: number): Promise<FoundSession | null>
  /**
   * Replaces the current token of a session; the old one is `previous` for `graceMs`. True for exactly one of several
   * concurrent callers.
   */
  rotate(input: {
    tokenHash: string
    next: { tokenHash: string; expiresAt: number }
    graceMs: number
    now: number
  }): Promise<boolean>
  /** Updates `seenAt`. */
  markSeen(id: string, now: number): Promise<void>
  /** Sets `provenAt` to `at`, and raises the level, which is never lowered. False for an absent session. */
  prove(id: string, proof: { level: Session['level']; at: number }): Promise<boolean>
  /** Sessions of a user, most recently used first. */
  list(userId: string, now: number): Promise<Session[]>
  /** True for the caller that ended it. A session of another user is absent. */
  end(id: string, userId: string): Promise<boolean>
  /** Ends all sessions of a user, except the one with the id `except`, and returns their number. */
  endAll(userId: string, except?: string): Promise<number>
  /** Deletes up to `limit` expired sessions, and returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>
}
