/** Users. The accounts service validates usernames, e-mail addresses and passwords; a store does not. */
import type { OutboxEvent } from './outbox.js'
import type { Page } from './page.js'

export type Role = 'user' | 'admin'

export interface User {
  /** Never reused, so that a new user with the same username inherits nothing. */
  id: string
  /** Lower case; unique. */
  username: string
  /** Lower case; unique. */
  email: string
  /** An argon2id PHC string; null: the account has no password. */
  passwordHash: string | null
  role: Role
  /** An administrator set the password, so the user should change it. */
  mustChangePassword: boolean
  createdAt: number
  /** False: the user does not want notifications. */
  notifications: boolean
  /** Language of notifications, a tag such as `pt-BR` of up to 64 characters; null: unknown. */
  language: string | null
  /** When the user proved to read the messages of `email`, epoch ms; null: not yet. A change of the address sets it to null. */
  emailVerified: number | null
  /** False: the user does not want a message about each sign-in from a new device. */
  signInAlerts: boolean
}

/** An identity at an external provider. */
export interface ExternalIdentity {
  /** Id of the provider. */
  provider: string
  /** Permanent id of the user at the provider. Compared bytewise; up to 255 characters. */
  subject: string
}

/** Enabled sign-in methods: identities of these providers, and passwords of accounts. */
export interface SignInMethods {
  providers: string[]
  password: boolean
}

/** Absent fields stay unchanged. */
export type UserChanges = Partial<
  Pick<
    User,
    | 'email'
    | 'role'
    | 'passwordHash'
    | 'mustChangePassword'
    | 'notifications'
    | 'language'
    | 'emailVerified'
    | 'signInAlerts'
  >
>

export interface UserUpdateOptions {
  /** Changes nothing, and returns null, if the user has another e-mail address. */
  ifEmail?: string
  endSessions?: { except?: string }
  deleteTokens?: boolean
}

export interface ListedUser extends User {
  /** Number of live secrets. */
  secrets: number
}

export interface UserFilter {
  /** Substring of the username or e-mail address, case-insensitive and literal: `%` is no wildcard. */
  search?: string
  role?: Role
}

export interface UserStore {
  /**
   * Throws AppError `storage.conflict` and stores nothing if id, username, e-mail address or identity exists. With
   * `unlessAdmin` also if an administrator exists: concurrent calls create exactly one first administrator. Stores `events` in
   * the same transaction.
   */
  create(
    user: User,
    options?: { identity?: ExternalIdentity; unlessAdmin?: boolean; events?: OutboxEvent[] },
  ): Promise<void>
  find(username: string): Promise<User | null>
  get(id: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  findByIdentity(identity: ExternalIdentity): Promise<User | null>
  /** Links an identity to a user. Throws AppError `storage.conflict` if it is linked already, `user.not_found` for an unknown user. */
  link(userId: string, identity: ExternalIdentity): Promise<void>
  /**
   * Links an identity to a user, and removes everything else by which anyone can act as the user or learn of the user's
   * secrets: the other identities, the password, all sessions, API tokens, password resets and e-mail verifications, and all
   * webhooks with their events. One transaction. Throws as `link`, and then changes nothing.
   */
  takeOver(userId: string, identity: ExternalIdentity): Promise<void>
  /** Ids of the providers with a linked identity of this user, ascending, without duplicates. */
  listProviders(userId: string): Promise<string[]>
  /**
   * Removes the identities of a provider from a user and ends the user's sessions except `except`, in one transaction. False
   * if there was none. Throws AppError `auth.last_way` and changes nothing if none of `others` would be left, also under
   * concurrency; `user.not_found` for an unknown user.
   */
  unlink(userId: string, provider: string, others: SignInMethods, endSessions: { except?: string }): Promise<boolean>
  hasAdmin(): Promise<boolean>
  /** Sorted by username. `total`: number of matches on all pages. */
  list(filter: UserFilter, page: Page, now: number): Promise<{ users: ListedUser[]; total: number }>
  /**
   * Changes a user, with `endSessions` ends the user's sessions except `except`, and with `deleteTokens` deletes the user's API
   * tokens, in one transaction. Null for an unknown user. Throws AppError `storage.conflict` if the e-mail address exists, and `user.last_admin` for another role of the last
   * administrator, also under concurrency. Both change nothing.
   */
  update(id: string, changes: UserChanges, options?: UserUpdateOptions): Promise<User | null>
  /**
   * Deletes a user with sessions, tokens, identities and secrets in one transaction; the files of the secrets end at `now`.
   * True for exactly one of several concurrent callers. Throws AppError `user.last_admin` for the last administrator. Stores
   * `events` in the same transaction.
   */
  remove(id: string, now: number, events?: OutboxEvent[]): Promise<boolean>
}
