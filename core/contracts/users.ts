/** Users. The accounts service validates usernames, e-mail addresses and passwords; a store does not. */
import type { EpochMs } from '../shared/epoch-ms.js'
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
  /** When the user proved to read the messages of `email`; null: not yet. A change of the address sets it to null. */
  emailVerified: EpochMs | null
  /** False: the user does not want a message about each sign-in from a new device. */
  signInAlerts: boolean
  /** Since when the account cannot be used; null: it is active. Links to its secrets keep working. */
  suspendedAt: EpochMs | null
  /** Last sign-in; null: never. */
  signedInAt: EpochMs | null
  /**
   * Security epoch of the account, raised by each lock-out. Sessions, API tokens, identities, webhooks and links in
   * e-mails name it: rows of another epoch are absent for every method.
   */
  epoch: number
  /**
   * Verified address before `email`; null: none. It gets messages about changes of the account until
   * `formerEmailUntil`.
   */
  formerEmail: string | null
  formerEmailUntil: EpochMs | null
  /** Id of the auth provider whose groups deny the user the creation of secrets and requests; null: none. */
  creationDeniedBy: string | null
  /** Groups that policies name; null: none, or unknown. */
  groups: UserGroups | null
  /** Groups that an administrator set, sorted. They count in addition to the groups of a provider. */
  assignedGroups: string[]
  /** Has a passkey or an authenticator app, so that a password alone does not sign in. See `FactorStore`. */
  secondFactor: boolean
  /** Since when sign-ins make a device known: the user has forgotten older ones. Null: all count. */
  devicesSince: EpochMs | null
  /** Lifetime in seconds and number of views that the user starts with; null: the default of the policy. */
  defaultTtl: number | null
  defaultViews: number | null
}

/** Groups of a user at a sign-in provider, as of the last sign-in there. */
export interface UserGroups {
  /** Id of the provider. Without it, the groups do not count. */
  provider: string
  /** Up to 20 names of up to 100 characters, sorted. */
  names: string[]
}

/** An identity at an external provider. */
export interface ExternalIdentity {
  /** Id of the provider. */
  provider: string
  /** Permanent id of the user at the provider. Compared bytewise; up to 255 characters. */
  subject: string
  /** When it was linked. Absent: unknown. */
  createdAt?: EpochMs
}

/** An identity of an account. */
export interface LinkedIdentity {
  /** Hash of provider and subject. */
  id: string
  provider: string
  /** When it was linked; null: unknown. */
  createdAt: EpochMs | null
}

/** Ids of the access that a lock-out does not end. */
export interface KeptAccess {
  sessions?: string[] | undefined
  tokens?: string[] | undefined
  identities?: string[] | undefined
  webhooks?: string[] | undefined
  /** Ids of passkeys, and the words `authenticator` and `recovery-codes`. */
  factors?: string[] | undefined
}

export interface LockOut {
  /** Of the user, in the same transaction. */
  changes: UserChanges
  keep: KeptAccess
  /** Changes nothing, and returns null, if the user has another e-mail address. */
  ifEmail?: string
  /** Stored in the same transaction. */
  events?: OutboxEvent[]
}

/** Enabled sign-in methods: identities of these providers, and passwords of accounts. */
export interface SignInMethods {
  providers: string[]
  password: boolean
}

/** Absent fields stay unchanged. */
export type UserChanges = Partial<Omit<User, 'id' | 'username' | 'createdAt' | 'epoch' | 'secondFactor'>>

export interface UserUpdateOptions {
  /** Changes nothing, and returns null, if the user has another e-mail address. */
  ifEmail?: string
  endSessions?: { except?: string }
  deleteTokens?: boolean
  /** Stored in the same transaction. */
  events?: OutboxEvent[]
}

export interface ListedUser extends User {
  /** Number of live secrets. */
  secrets: number
  /** Number of passkeys. */
  passkeys: number
  /** Has an authenticator app. */
  authenticator: boolean
}

export interface UserFilter {
  /** Substring of the username or e-mail address, case-insensitive and literal: `%` is not a wildcard. */
  search?: string
  role?: Role
}

/**
 * Argument of `UserStore.unlink`. `others`: the other ways to sign in that count. `except`: id of the session that
 * stays.
 */
export interface UnlinkInput {
  userId: string
  provider: string
  others: SignInMethods
  except?: string | undefined
}

export interface UserStore {
  /**
   * Throws AppError `storage.conflict` and stores nothing if id, username, e-mail address or identity exists. With
   * `unlessAdmin` also if an administrator exists: concurrent calls create exactly one first administrator. Stores
   * `events` in the same transaction.
   */
  create(
    user: User,
    options?: { identity?: ExternalIdentity; unlessAdmin?: boolean; events?: OutboxEvent[] },
  ): Promise<void>
  find(username: string): Promise<User | null>
  get(id: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  findByIdentity(identity: ExternalIdentity): Promise<User | null>
  /**
   * Links an identity to a user. Throws AppError `storage.conflict` if it is linked already, `user.not_found` for an
   * unknown user.
   */
  link(userId: string, identity: ExternalIdentity, epoch: number): Promise<void>
  /**
   * Links an identity to a user, removes the password, and locks out everyone else, in one transaction. Throws as
   * `link`.
   */
  takeOver(userId: string, identity: ExternalIdentity): Promise<void>
  /**
   * Raises the security epoch of a user, which ends all access to the account and to events of the user's secrets,
   * except `keep`: identities, second factors, sessions, API tokens, links in e-mails, device logins, and webhooks with
   * their events. Also deletes these rows. Applies `changes`, all in one transaction. Throws AppError `user.not_found`.
   */
  lockOut(id: string, order: LockOut): Promise<User | null>
  /** By provider. */
  listIdentities(userId: string): Promise<LinkedIdentity[]>
  /**
   * Removes the identities of a provider from a user and ends the user's sessions except `except`, in one transaction.
   * False if there was none. Throws AppError `auth.last_way` and changes nothing if none of `others` would be left,
   * also under concurrency; `user.not_found` for an unknown user.
   */
  unlink(input: UnlinkInput): Promise<boolean>
  /** Removes an identity of a user, also the last one. False if there was none. */
  unlinkIdentity(userId: string, id: string): Promise<boolean>
  hasAdmin(): Promise<boolean>
  /** Sorted by username. `total`: number of matches on all pages. */
  list(filter: UserFilter, page: Page, now: number): Promise<{ users: ListedUser[]; total: number }>
  /**
   * Changes a user, with `endSessions` ends the user's sessions except `except`, and with `deleteTokens` deletes the
   * user's API tokens and approved device logins, in one transaction. Null for an unknown user. Throws AppError
   * `storage.conflict` if the e-mail address exists, and `user.last_admin` for another role or the suspension of the
   * last administrator who is not suspended, also under concurrency. Both change nothing.
   */
  update(id: string, changes: UserChanges, options?: UserUpdateOptions): Promise<User | null>
  /**
   * Deletes a user with sessions, tokens, identities and secrets in one transaction; the files of the secrets end at
   * `now`. True for exactly one of several concurrent callers. Throws AppError `user.last_admin` for the last
   * administrator who is not suspended. Stores `events` in the same transaction.
   */
  remove(id: string, now: number, events?: OutboxEvent[]): Promise<boolean>
}
