/** Who has an account. The rules for names, addresses and passwords are the accounts service's; a store keeps what it is given. */
import type { Page } from './page.js'

export type Role = 'user' | 'admin'

export interface User {
  /** Never used again, so that nobody inherits anything with a name. */
  id: string
  /** Lower case; unique. */
  username: string
  /** Case-folded; unique. */
  email: string
  /** An argon2id PHC string; null: this account has no password of its own. */
  passwordHash: string | null
  role: Role
  /** The password was made by an administrator and should be changed. */
  generated: boolean
  createdAt: number
}

/** Whom an outside provider vouched for. */
export interface OutsideIdentity {
  /** Id of the provider. */
  provider: string
  /** What the provider calls this person, for ever. Compared bytewise; up to 255 characters. */
  subject: string
}

/** What counts as a way to sign in here: identities of these providers, and a password of the account's own. */
export interface WaysIn {
  providers: string[]
  password: boolean
}

/** What is absent stays as it is. */
export type UserChanges = Partial<Pick<User, 'email' | 'role' | 'passwordHash' | 'generated'>>

export interface ListedUser extends User {
  /** How many secrets of theirs are there. */
  secrets: number
}

export interface UserFilter {
  /** Part of the username or the e-mail address, in any case of its letters, and otherwise literally: `%` stands for itself. */
  search?: string
  role?: Role
}

export interface UserStore {
  /**
   * A taken id, username, e-mail address or identity throws AppError `storage.conflict` and stores nothing. With
   * `unlessAdmin`, so does any administrator that exists: however many race, one first administrator is made.
   */
  create(user: User, options?: { identity?: OutsideIdentity; unlessAdmin?: boolean }): Promise<void>
  find(username: string): Promise<User | null>
  get(id: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  findByIdentity(identity: OutsideIdentity): Promise<User | null>
  /** From now on the identity is this user's. One that is taken throws AppError `storage.conflict`; nobody, `user.not_found`. */
  link(userId: string, identity: OutsideIdentity): Promise<void>
  /** Ids of the providers that vouch for this user, ascending, each once. */
  providersOf(userId: string): Promise<string[]>
  /**
   * From now on this provider vouches for this user no more, and their sessions end, but for the one named `except`, in one
   * transaction. False when it did not. Unless one of `others` is left, it throws AppError `auth.last_way`, also when the last
   * two race, and changes nothing. Nobody throws `user.not_found`.
   */
  unlink(userId: string, provider: string, others: WaysIn, endSessions: { except?: string }): Promise<boolean>
  hasAdmin(): Promise<boolean>
  /** By username. `total`: how many match, on all pages. */
  list(filter: UserFilter, page: Page, now: number): Promise<{ users: ListedUser[]; total: number }>
  /**
   * Changes a user, and with `endSessions` ends their sessions, but for the one named `except`, in one transaction.
   * Null when there is none. A taken e-mail address throws AppError `storage.conflict`; taking the role from the last
   * administrator throws `user.last_admin`, also when the last two race. Either changes nothing.
   */
  update(id: string, changes: UserChanges, options?: { endSessions?: { except?: string } }): Promise<User | null>
  /**
   * Deletes a user with all that is theirs, in one transaction: sessions, tokens, identities, secrets; the files of the
   * secrets end at `now`. True for the one caller that did. The last administrator throws AppError `user.last_admin`.
   */
  remove(id: string, now: number): Promise<boolean>
}
