/** Who is signed in. A session is known by its token, of which only a hash is kept. */
import type { User } from './users.js'

export interface Session {
  /** Names it to its user. Says nothing about its token, and stays when that changes. */
  id: string
  userId: string
  /** Hex SHA-256. */
  tokenHash: string
  createdAt: number
  seenAt: number
  /** From then on it is absent, unless it is rotated before. */
  expiresAt: number
  /** No rotation moves it past this. */
  endsAt: number
  /** What it was opened with, for people: "Firefox on Windows". Up to 64 characters. */
  client: string
}

export interface FoundSession {
  session: Session
  user: User
  /**
   * `current`: its token. `previous`: the one before, within its grace: another tab has not heard of the rotation yet.
   * `reused`: the one before, after its grace: somebody has kept a copy.
   */
  token: 'current' | 'previous' | 'reused'
}

/** Times are epoch ms and always passed in. What has expired is absent to every method. */
export interface SessionStore {
  /** Of one user the `most` newest stay, this one among them. A user who is not there throws AppError `user.not_found`. */
  open(session: Session, most: number, now: number): Promise<void>
  /** With its user as they are now. */
  find(tokenHash: string, now: number): Promise<FoundSession | null>
  /**
   * Gives the session with this current token another one, which counts from now on; the old one is `previous` for
   * `graceMs`. True for the one caller that did, however many race.
   */
  rotate(
    tokenHash: string,
    next: { tokenHash: string; expiresAt: number },
    graceMs: number,
    now: number,
  ): Promise<boolean>
  /** Notes that it was used. */
  seen(id: string, now: number): Promise<void>
  /** Those of a user, the one that was used last coming first. */
  list(userId: string, now: number): Promise<Session[]>
  /** True for the one caller that ended it. A session of somebody else is absent. */
  end(id: string, userId: string): Promise<boolean>
  /** Answers how many. */
  endAll(userId: string, except?: string): Promise<number>
  /** Forgets up to `limit` that have expired; answers how many. */
  sweep(now: number, limit: number): Promise<number>
}
