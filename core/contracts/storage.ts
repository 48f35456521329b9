/** What a storage plugin provides. The laws are in the comments; the suite in core/testing checks each one. */
import type { AttachmentStore, Binding } from './attachments.js'
import type { AuditStore } from './audit.js'
import type { LimitStore } from './limits.js'
import type { Page } from './page.js'
import type { RowStore } from './rows.js'
import type { SessionStore } from './sessions.js'
import type { StatsStore } from './stats.js'
import type { TokenStore } from './tokens.js'
import type { UserStore } from './users.js'

/** `sealed`: the client encrypted it. `raw`: the server did, with a key that only the id carries. `public`: plaintext. */
export type SecretKind = 'sealed' | 'raw' | 'public'

/** Everything about a secret but its text. Times are epoch ms. */
export interface SecretMeta {
  id: string
  kind: SecretKind
  /** Plaintext, so only of public secrets. */
  title: string | null
  /** Hex SHA-256 of the access proof; null for public secrets. */
  accessHash: string | null
  /** Hex SHA-256 of the password proof (sealed) or an argon2id PHC string; null without a password. */
  passwordHash: string | null
  /** Hex SHA-256 of the token that lets its creator burn it. */
  burnHash: string
  /** Id of a user of this storage; null: a visitor made it. */
  ownerId: string | null
  /** IP address or CIDR range that may view it; null: any. */
  allowedIp: string | null
  /** null: not limited. */
  maxViews: number | null
  /** Views so far. */
  views: number
  /** Views are counted but not limited; only time burns it. */
  preventBurn: boolean
  createdAt: number
  expiresAt: number
  /** How many were attached to it. */
  files: number
  /** Wrong passwords in a row since the last right one or the last lock. */
  failures: number
  /** Wrong passwords are refused unseen until then; 0 when it was never locked. */
  lockedUntil: number
}

export interface Secret extends SecretMeta {
  /** An armoured age file, or the plaintext of a public secret. Well-formed, of any length, without NUL characters. */
  text: string
}

export interface PublicSecret {
  id: string
  title: string | null
  username: string | null
  createdAt: number
  expiresAt: number
}

/** The first answer to a create, kept for the caller's retries. */
export interface Replay {
  /** Hex SHA-256 of caller and idempotency key. */
  keyHash: string
  /** Opaque to the store: the answer, encrypted under a key that the store never sees. */
  answer: string
  expiresAt: number
}

/** What `view` answers. */
export interface ViewedSecret extends Secret {
  /** False: this claim had counted before, and only gets the same answer again. */
  counted: boolean
}

/** How wrong passwords are counted: see `SecretStore.passwordFailed`. */
export interface Attempts {
  /** False: it was locked already, so this one changed nothing. */
  counted: boolean
  attemptsLeft: number
  /** Epoch ms; 0 when it is not locked. */
  lockedUntil: number
}

/**
 * Times are epoch ms and always passed in: a store has no clock of its own.
 * Ids and hashes are compared bytewise.
 * What is expired or used up is absent to every method, except that a used-up secret is there for its own claims.
 * A claim is open from its view until its grace is over or it is acknowledged. Deleted means gone: the id is free again.
 */
export interface SecretStore {
  /**
   * Stores a secret; `replay` in the same transaction. Answers null, or, when a live replay with the same `keyHash`
   * exists, that replay's answer and stores nothing. However many callers race with one `keyHash`, one secret exists.
   * A taken id, and an owner who is no longer there, throws AppError `storage.conflict`.
   *
   * In the same transaction the `files` become the secret's and end with it. Each must be an upload that is open and has all
   * its parts: otherwise throws AppError `file.not_found` or `file.incomplete` with its field (`files.0`), stores nothing.
   */
  create(secret: Secret, now: number, replay?: Replay, files?: Binding[]): Promise<string | null>
  /** The answer of a live replay, as `create` would give it. */
  replay(keyHash: string, now: number): Promise<string | null>
  /** Everything but the text. Not a view. A used-up secret is there for an open claim of it. */
  peek(id: string, now: number, claimHash?: string): Promise<SecretMeta | null>
  /**
   * Counts one view for this claim and returns the secret, in one atomic step. However many callers race, in however
   * many processes, at most `maxViews` distinct claims get it; the others get null. The same claim again, until
   * `now + graceMs` of its first time, gets it again and counts nothing; after that it is a claim like any other.
   * A locked secret (`lockedUntil > now`) gets null. A view that counts forgets wrong passwords and past locks.
   */
  view(id: string, claimHash: string, now: number, graceMs: number): Promise<ViewedSecret | null>
  /**
   * This claim has been delivered, perhaps after its grace: it gets null from now on. A used-up secret with no open
   * claim left is deleted. Any other claim hash changes nothing. True for the one call that deleted the secret.
   */
  ack(id: string, claimHash: string, now: number): Promise<boolean>
  /**
   * Counts one wrong password, exactly, however many come at once. The tenth in a row locks the secret for
   * `lockMs`, doubled at each further lock, and starts the count anew. While it is locked nothing is counted.
   * Null when the secret is absent.
   */
  passwordFailed(id: string, now: number, lockMs: number): Promise<Attempts | null>
  /** Deletes it and ends its files. True for the one caller that did. */
  burn(id: string, now: number): Promise<boolean>
  /** Newest first, and those of one moment in an order that does not change from page to page. */
  listByOwner(ownerId: string, page: Page, now: number): Promise<SecretMeta[]>
  /** Public ones, in the same order. */
  listPublic(filter: { username?: string }, page: Page, now: number): Promise<PublicSecret[]>
  /** How many are there, but never more than `most`: counting all would take the longer the more there are. */
  countLive(most: number, now: number): Promise<number>
  /**
   * Deletes up to `limit` secrets that are expired, or used up with no open claim, and answers them: each is told by one
   * caller. Also forgets claims and replays that have ended.
   */
  sweep(now: number, limit: number): Promise<SweptSecret[]>
}

export interface SweptSecret {
  id: string
  /** False: it was used up, and its burn was told when its last view was spent. */
  expired: boolean
}

/** Instance settings: small named values that administrators change while the instance runs. */
export interface SettingsStore {
  /** All that were ever set. */
  all(): Promise<Record<string, string>>
  /** Sets these, forgets those that are null, and keeps the others, in one transaction. */
  set(values: Record<string, string | null>): Promise<void>
}

/** Leave to do something that one process at a time does. */
export interface LeaseStore {
  /** True when nobody else holds `name` at `now`; then `holder` has it until `until`, and may take it again before. */
  take(name: string, holder: string, until: number, now: number): Promise<boolean>
}

/** A step in the growth of a storage's schema. */
export interface MigrationStatus {
  name: string
  /** `unfinished`: a process died in the middle; the next run goes on from there. `unknown`: only a newer program has it. */
  state: 'ran' | 'pending' | 'unfinished' | 'unknown'
  /** Epoch ms; null unless it ran. */
  ranAt: number | null
}

export interface MigrateOptions {
  /** How many steps shall have run in the end. `up` without it: all. `down` without it: one less than now. */
  to?: number
  /** Changes nothing: answers what would be done. */
  dryRun?: boolean
  /** How long to wait for another process that migrates, in ms. */
  lockTimeoutMs?: number
}

/** What was done, in order. */
export interface MigrationStep {
  name: string
  direction: 'up' | 'down'
  sql: string[]
}

/**
 * `up` and `down` are safe in several processes at once, and throw AppError `storage.unavailable` when the storage has
 * steps that this program does not know, or when another process does not give it free.
 */
export interface Migrations {
  /** In order, those that the program does not know last. Changes nothing. */
  status(): Promise<MigrationStatus[]>
  up(options?: MigrateOptions): Promise<MigrationStep[]>
  down(options?: MigrateOptions): Promise<MigrationStep[]>
}

/** How many connections work, are idle, and how many callers wait for one, right now. */
export interface Connections {
  busy: number
  idle: number
  waiting: number
}

export interface Storage {
  secrets: SecretStore
  attachments: AttachmentStore
  leases: LeaseStore
  limits: LimitStore
  users: UserStore
  sessions: SessionStore
  tokens: TokenStore
  audit: AuditStore
  settings: SettingsStore
  stats: StatsStore
  /** Its rows as they are, where it can be copied to another engine. */
  rows?: RowStore
  /** Where it keeps things, for people: a file, or host and database; never with credentials. */
  location?: string
  /** Brings the schema up to date; answers the names of the migrations that ran. Safe in two processes at once. */
  migrate(): Promise<string[]>
  /** The same step by step, where the storage has a schema. */
  migrations?: Migrations
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  /** Connections to it, where it has such. */
  connections?(): Connections
  /**
   * Makes deleted texts unreadable in the files of the store, as far as the engine leaves that to us. Called soon
   * after deletes; it may be put off while others use the files, and is then called again. True when it is done.
   */
  scrub(): Promise<boolean>
}
