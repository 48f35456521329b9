/** Contract of a storage plugin. The comments are requirements; the suite in core/testing checks each one. */

import type { EpochMs } from '../shared/epoch-ms.js'
import type { AttachmentStore, Binding } from './attachments.js'
import type { AuditStore } from './audit.js'
import type { DeviceLoginStore } from './device-logins.js'
import type { EndedSecretStore } from './ended-secrets.js'
import type { FactorStore } from './factors.js'
import type { LimitStore } from './limits.js'
import type { NamedRecipient, RecipientCode } from './named-recipients.js'
import type { OneTimeLinkStore } from './one-time-links.js'
import type { OutboxEvent, OutboxStore } from './outbox.js'
import type { Page } from './page.js'
import type { Receipt, ReceiptReader, ReceiptStore } from './receipts.js'
import type { ListedRequest, SecretRequest, Submission } from './requests.js'
import type { RowStore } from './rows.js'
import type { SecretKind } from './secret-kind.js'
import type { SessionStore } from './sessions.js'
import type { StatsStore } from './stats.js'
import type { TokenStore } from './tokens.js'
import type { UserWebhookStore } from './user-webhooks.js'
import type { UserStore } from './users.js'

/** A secret without its text. Times are epoch ms. */
export interface SecretMeta {
  id: string
  kind: SecretKind
  /** Plaintext, so set for public secrets only. */
  title: string | null
  /** Hex SHA-256 of the access proof; null for public secrets. */
  accessHash: string | null
  /** Hex SHA-256 of the password proof (sealed) or an argon2id PHC string; null without a password. */
  passwordHash: string | null
  /** Hex SHA-256 of the burn token. */
  burnHash: string
  /** Id of a user of this storage; null: created anonymously. */
  ownerId: string | null
  /** IP address or CIDR range that may view it; null: any. */
  allowedIp: string | null
  /** null: unlimited. */
  maxViews: number | null
  /** Views so far. */
  views: number
  /** Views are counted but not limited; the secret ends only at `expiresAt`. */
  preventBurn: boolean
  /** The owner asked for notifications about it: its durable events say so. */
  notify: boolean
  createdAt: number
  expiresAt: number
  /** Number of attached files. */
  files: number
  /** Consecutive wrong passwords since the last correct one or the last lock. */
  failures: number
  /** Passwords are rejected unchecked until this time; 0: never locked. */
  lockedUntil: number
  /** Hex SHA-256 of the receipt token. Absent: without a receipt. */
  receiptHash?: string
  /** Number of named recipients, see `NamedRecipientStore`. Absent: everyone with the link may view it. */
  recipients?: number
}

/** A secret in the list of its owner. */
export interface ListedSecret extends SecretMeta {
  /** Content of its receipt, apart from the number of views. null: without a receipt. */
  receipt: Pick<Receipt, 'viewedAt' | 'wrongPasswords' | 'refusedAddresses'> | null
  /** Counted views of each named recipient, in their order. Absent: there are none. */
  recipientViews?: number[]
}

export interface Secret extends SecretMeta {
  /**
   * An age file with ASCII armor, or the plaintext of a public secret. Well-formed Unicode of any length, without NUL.
   */
  text: string
}

/** The limits of a secret that its creator can lower. */
export type SecretLimits = Pick<SecretMeta, 'maxViews' | 'expiresAt' | 'allowedIp'>

export interface PublicSecret {
  id: string
  title: string | null
  username: string | null
  createdAt: number
  expiresAt: number
}

/** The response to the first create with an idempotency key, for retries of the caller. */
export interface IdempotencyRecord {
  /** Hex SHA-256 of the caller and the idempotency key. */
  keyHash: string
  /** Encrypted with a key that the store does not have. */
  response: string
  expiresAt: number
}

/** Result of `view`. */
export interface ViewedSecret extends Secret {
  /** False: the claim was counted before, so this is a retry. */
  counted: boolean
  /** Number of the named recipient who used this view. Absent: without named recipients, and for a retry. */
  recipient?: number
}

/** Result of `SecretStore.recordWrongPassword`. */
export interface PasswordAttempts {
  /** False: the secret was already locked, so nothing was counted. */
  counted: boolean
  attemptsLeft: number
  /** 0: not locked. */
  lockedUntil: EpochMs
}

/** Argument of `SecretStore.create`. */
export interface CreateInput {
  secret: Secret
  now: number
  record?: IdempotencyRecord | undefined
  files?: Binding[] | undefined
  events?: OutboxEvent[] | undefined
  /** Hashes of the addresses of its named recipients, as many as `secret.recipients`. */
  addressHashes?: string[] | undefined
}

/** Argument of `SecretStore.view`. */
export interface ViewInput {
  id: string
  claimHash: string
  now: number
  graceMs: number
  read?: SecretMeta | null | undefined
  authorize?: ((secret: SecretMeta) => boolean) | undefined
  toEvents?: ((secret: SecretMeta, recipient: number | null) => OutboxEvent[]) | undefined
  reader?: ReceiptReader | undefined
  recordsEnd?: boolean | undefined
}

/** Argument of `SecretStore.recordWrongPassword`. */
export interface WrongPasswordInput {
  id: string
  now: number
  lockMs: number
  toEvents?: ((attempts: PasswordAttempts) => OutboxEvent[]) | undefined
}

/** Argument of `SecretStore.burn`. */
export interface BurnInput {
  id: string
  now: number
  events?: OutboxEvent[] | undefined
  recordsEnd?: boolean | undefined
}

/** Argument of `SecretStore.changeLimits`. */
export interface ChangeLimitsInput {
  id: string
  now: number
  from: SecretLimits
  to: SecretLimits
}

/** Argument of `SecretStore.deleteExpired`. */
export interface DeleteExpiredInput {
  now: number
  limit: number
  toEvents?: ((secret: SecretMeta) => OutboxEvent[]) | undefined
  recordsEnd?: boolean | undefined
}

/**
 * Times are epoch ms and always passed in: a store does not read a clock. Ids and hashes are compared bytewise. Expired
 * and used-up secrets are absent for every method, except that a used-up secret exists for its open claims, and for
 * `peekBurnable` and `burn` while it has open claims or files that have not ended. A claim is open from its view until
 * its grace period ends or it is acknowledged. After a delete the id is free again.
 */
export interface SecretStore {
  /**
   * Stores a secret, and `record` in the same transaction. Returns null. If a live record with the same `keyHash`
   * exists, stores nothing and returns its response: concurrent creates with one `keyHash` create one secret. An
   * existing id, and an owner who was deleted, throw AppError `storage.conflict`.
   *
   * Attaches `files` to the secret in the same transaction; they end with it. Each must be a different, open and
   * complete upload. One with `copies` greater than 1 is copied for the secret, and ends with its last copy. Under any
   * concurrency, an upload is attached to no more than `copies` secrets. Otherwise stores nothing and throws AppError
   * `file.not_found` or `file.incomplete` with its field (`files.0`).
   *
   * Also creates the receipt of a secret with a `receiptHash`, see `ReceiptStore`, and its named recipients.
   *
   * Stores `events` in the same transaction. So do the other methods with the events that they get, if they change
   * something.
   */
  create(input: CreateInput): Promise<string | null>
  /** The response of a live record, as `create` returns it. */
  findIdempotencyRecord(keyHash: string, now: number): Promise<string | null>
  /** Reads a secret without its text and without counting a view. A used-up secret exists for its open claims. */
  peek(id: string, now: number, claimHash?: string): Promise<SecretMeta | null>
  /**
   * Counts one view for this claim and returns the secret, atomically. Under any concurrency, also across processes, at
   * most `maxViews` distinct claims get it; the others get null. The same claim gets it again for `graceMs` after its
   * first view and is not counted again; after that it counts as a new claim. A locked secret (`lockedUntil > now`)
   * returns null. A counted view resets wrong passwords and past locks.
   *
   * `authorize` is called with every secret that `peek` would return for this claim, in the same transaction, so that
   * nothing changes in between. If it returns false, nothing is counted and `view` returns null. It may be called again
   * when the transaction is repeated. `read`: the secret as `peek` or `create` had it. A storage may decide from it
   * instead of reading the secret again, if it counts the view only while no limit, lock or view of it has changed.
   * `toEvents` returns the events of a counted view, from the secret after it and the number of the named recipient who
   * used it. A secret with named recipients returns null, except to an open claim: see `NamedRecipientStore.view`.
   * `reader`: for the receipt. `recordsEnd`: the last view is also an entry of `EndedSecretStore`. Default: false, also
   * for the other methods.
   */
  view(input: ViewInput): Promise<ViewedSecret | null>
  /**
   * Acknowledges a claim, also after its grace period: `view` returns null for it from now on. Deletes a used-up secret
   * without open claims; if it has files that have not ended, deletes its text only. An unknown claim hash changes
   * nothing. True for the call that deleted the text.
   */
  ack(id: string, claimHash: string, now: number): Promise<boolean>
  /**
   * Counts one wrong password, exactly under concurrency. The tenth in a row locks the secret for `lockMs`, doubled
   * with each further lock, and resets the count. Nothing is counted while it is locked. Null if the secret is absent.
   * `toEvents` is called if the password was counted.
   */
  recordWrongPassword(input: WrongPasswordInput): Promise<PasswordAttempts | null>
  /** The secret that `burn` would delete, without its text. Takes the same time for an absent and a used-up secret. */
  peekBurnable(id: string, now: number): Promise<SecretMeta | null>
  /**
   * Deletes a secret and ends its files, also a used-up one with open claims or with files that have not ended. True
   * for exactly one of several concurrent callers. `recordsEnd`: a burn before the last view is also an entry of
   * `EndedSecretStore`.
   */
  burn(input: BurnInput): Promise<boolean>
  /**
   * Replaces the limits of a secret that was never viewed, if they are still `from`. Its files end at the new time as
   * well. True if the limits were replaced. Under any concurrency, a view gets either the old or the new limits, and at
   * most one of several callers with the same `from` succeeds.
   */
  changeLimits(input: ChangeLimitsInput): Promise<boolean>
  /** Newest first. Secrets with the same time have a stable order across pages. */
  listByOwner(ownerId: string, page: Page, now: number): Promise<ListedSecret[]>
  /** Public secrets, in the same order. */
  listPublic(filter: { username?: string }, page: Page, now: number): Promise<PublicSecret[]>
  /** Number of live secrets, capped at `max` so that the query stays fast. */
  countLive(max: number, now: number): Promise<number>
  /**
   * Deletes up to `limit` secrets that are expired, or used up without open claims, and returns them: each to exactly
   * one caller. Of a used-up secret with files that have not ended it deletes the text first, and the rest when the
   * files have ended; it is returned each time. Also deletes expired claims and idempotency records. `toEvents` is
   * called for each secret that was not used up. `recordsEnd`: such a secret is also an entry of `EndedSecretStore`.
   */
  deleteExpired(input: DeleteExpiredInput): Promise<DeletedSecret[]>
}

/** Argument of `NamedRecipientStore.view`. */
export interface RecipientViewInput extends ViewInput {
  /** Hex HMAC-SHA-256 of the code; null: the caller sent none. */
  codeHash: string | null
  /** As for `SecretStore.recordWrongPassword`. */
  lockMs: number
  /** Events of a wrong code. */
  toWrongEvents?: ((attempts: PasswordAttempts) => OutboxEvent[]) | undefined
}

/** Result of `NamedRecipientStore.view`. `attempts`: as for a wrong password. */
export type RecipientView =
  | { outcome: 'viewed'; secret: ViewedSecret }
  | { outcome: 'code-missing'; attemptsLeft: number }
  | { outcome: 'code-wrong'; attempts: PasswordAttempts }

/** Times are epoch ms and always passed in. `SecretStore.create` stores recipients; they end with their secret. */
export interface NamedRecipientStore {
  /** By number. Empty for an unknown secret. */
  list(secretId: string): Promise<NamedRecipient[]>
  /** Replaces the code of a recipient. False if the recipient is absent. */
  setCode(code: RecipientCode): Promise<boolean>
  /**
   * Views a secret as `SecretStore.view`, with the same guarantees, and uses up the code in the same transaction: under
   * any concurrency, also across processes, a code counts one view at most. An open claim gets the secret again without
   * a code. A code that is wrong, expired or used counts as a wrong password (`SecretStore.recordWrongPassword`), in
   * the same transaction, and only if `authorize` accepts the caller. Nothing is counted without a code.
   *
   * A recipient who has viewed the secret gets it again only while more views are left than other recipients who have
   * not viewed it. Otherwise the result is null, and the code stays.
   */
  view(input: RecipientViewInput): Promise<RecipientView | null>
}

export interface DeletedSecret {
  id: string
  /** False: it was used up, and its burn was reported with its last view. */
  expired: boolean
}

export interface NewSubmission {
  secret: Secret
  /** Encrypted bytes of text and files. */
  size: number
  record?: IdempotencyRecord | undefined
  files?: Binding[]
  /** Stored in the same transaction. */
  events?: OutboxEvent[]
  /**
   * Returns more events, from the number of submissions including this one. May be called again when the transaction is
   * repeated.
   */
  toEvents?: ((submissions: number) => OutboxEvent[]) | undefined
}

/**
 * `stored`; `refused`: the request is absent or has all its submissions; `repeated`: the response of an earlier call.
 */
export type SubmitResult = { outcome: 'stored' | 'refused' } | { outcome: 'repeated'; response: string }

/** Argument of `RequestStore.create`. */
export interface CreateRequestInput {
  request: SecretRequest
  now: number
  record?: IdempotencyRecord | undefined
  events?: OutboxEvent[] | undefined
}

/** Argument of `RequestStore.close`. */
export interface CloseInput {
  id: string
  now: number
  toEvents?: ((burned: SecretMeta[]) => OutboxEvent[]) | undefined
  recordsEnd?: boolean | undefined
}

/**
 * Times are epoch ms and always passed in. Expired requests are absent for every method. Events are stored in the
 * transaction of the change, and only if something changes.
 */
export interface RequestStore {
  /**
   * Stores a request, and `record` in the same transaction. Returns null. If a live record with the same `keyHash`
   * exists, stores nothing and returns its response. An existing id, and an owner who was deleted, throw AppError
   * `storage.conflict`.
   */
  create(input: CreateRequestInput): Promise<string | null>
  /** Also finds a request that has all its submissions. */
  find(id: string, now: number): Promise<SecretRequest | null>
  /**
   * Counts a submission and stores its secret, all or nothing. Under any concurrency, also across processes, a request
   * never gets more than `maxSubmissions`. `record` and `files`: as `SecretStore.create`, whose errors it throws.
   */
  submit(id: string, submission: NewSubmission, now: number): Promise<SubmitResult>
  /** Oldest first. Submissions with the same time have a stable order. */
  listSubmissions(id: string, now: number): Promise<Submission[]>
  /** Newest first. Requests with the same time have a stable order across pages. */
  listByOwner(ownerId: string, page: Page, now: number): Promise<ListedRequest[]>
  /**
   * Deletes a request, and burns its unopened submissions, in one transaction. Returns them. null if the request is
   * absent: exactly one of several concurrent callers gets a list. `toEvents` is called with the burned submissions.
   * `recordsEnd`: they are also entries of `EndedSecretStore`.
   */
  close(input: CloseInput): Promise<SecretMeta[] | null>
  /**
   * Deletes up to `limit` expired requests, and returns their number. Their secrets stay until they expire. `toEvents`
   * is called with each deleted request.
   */
  deleteExpired(now: number, limit: number, toEvents?: (request: SecretRequest) => OutboxEvent[]): Promise<number>
}

/** Instance settings that administrators change at run time, as name and value. */
export interface SettingsStore {
  /** All stored settings. */
  getAll(): Promise<Record<string, string>>
  /** Sets values in one transaction; null deletes. Other settings stay unchanged. */
  set(values: Record<string, string | null>): Promise<void>
  /**
   * Sets values as `set` does if the setting `name` has the text `value`, with null: if it is not set. Otherwise it
   * changes nothing and returns false. `values` has another text for `name`, so that exactly one of several concurrent
   * calls with the same condition returns true. These texts are whole numbers.
   */
  setIf(condition: SettingCondition, values: Record<string, string | null>): Promise<boolean>
}

export interface SettingCondition {
  name: string
  value: string | null
}

/**
 * State that the instance keeps for itself, as named strings: its key, its clock, the progress of a copy. Never
 * settings, and in no backup. Names have up to 64 characters of [a-z_]; a value may be as long as the text of a secret.
 */
export interface InstanceStateStore {
  /** null: not set. */
  get(name: string): Promise<string | null>
  /**
   * Creates or replaces the value. Other names stay unchanged. Safe in concurrent processes: one of the values remains.
   */
  set(name: string, value: string): Promise<void>
  /** Does nothing if it is not set. */
  delete(name: string): Promise<void>
}

/** Leases: locks with an expiry, for jobs that one process runs at a time. */
export interface LeaseStore {
  /** True if no other holder has `name` at `now`. Then `holder` has it until `until`, and can renew it before. */
  acquire(input: { name: string; holder: string; until: number; now: number }): Promise<boolean>
}

/** State of one schema migration. */
export interface MigrationStatus {
  name: string
  /** `unknown`: of another version. */
  state: 'ran' | 'pending' | 'unknown'
  /** Null if it did not run. */
  ranAt: EpochMs | null
}

export interface MigrateOptions {
  /** Maximum wait for another migrating process, in ms. */
  lockTimeoutMs?: number
}

/** Current state of the connection pool: used and idle connections, and waiting callers. */
export interface Connections {
  busy: number
  idle: number
  waiting: number
}

/** How a storage gives the space of deleted data back to the disk. */
export interface Compaction {
  /** Size of its file in bytes. */
  measure(): Promise<number>
  /** Works in short steps. Other processes write in between. */
  run(): Promise<void>
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
  instanceState: InstanceStateStore
  outbox: OutboxStore
  stats: StatsStore
  requests: RequestStore
  receipts: ReceiptStore
  namedRecipients: NamedRecipientStore
  endedSecrets: EndedSecretStore
  oneTimeLinks: OneTimeLinkStore
  deviceLogins: DeviceLoginStore
  userWebhooks: UserWebhookStore
  factors: FactorStore
  /** Raw rows. Present if the storage can be copied to another engine. */
  rows?: RowStore
  /** The connection leaves this machine without encryption, so that the operator is warned. */
  isUnencrypted?: boolean
  /** Readable location: a file, or host and database. Never with credentials. */
  location?: string
  /** Driver and version of the engine, such as `sqlite3, SQLite 3.52.0`. */
  driver?: string
  /**
   * Runs pending migrations and returns their names. Safe in concurrent processes. A migration that a crash interrupted
   * runs again. Throws AppError `storage.unavailable` if the storage has unknown migrations, or if another process
   * holds the lock for too long.
   */
  migrate(options?: MigrateOptions): Promise<string[]>
  /** The migrations in order, unknown ones last. Changes nothing. Present if the storage has a schema. */
  listMigrations?(): Promise<MigrationStatus[]>
  /** Throws unless the storage responds and accepts writes. Cheap enough for every second. */
  ping(): Promise<void>
  /**
   * Throws unless its user may read, insert, update and delete every kind of row. Changes nothing. Present if it has
   * users with rights.
   */
  checkAccess?(): Promise<void>
  /** Throws if it cannot store texts of so many bytes, as they are stored. Present if the server has a limit. */
  checkTextSize?(bytes: number): Promise<void>
  /** Target duration of a batch of the cleanup in ms. Default 10, for engines whose other writes wait for it. */
  cleanupBatchMs?: number
  /** Present if the storage has a connection pool. */
  connections?(): Connections
  /** Reads the whole database and describes the first damage; null: none. Present if the engine can check its files. */
  findDamage?(): Promise<string | null>
  /** Gives the space of deleted data back to the disk. Present if the engine keeps it in its file. */
  compaction?: Compaction
  /**
   * Overwrites deleted texts in the files of the database, as far as the engine allows. Called soon after deletes.
   * False: postponed because the files are in use; then it is called again.
   */
  scrub(): Promise<boolean>
}
