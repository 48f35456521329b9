/**
 * The tables of the first release. Ids and hashes have lengths that every engine can index; hashes are hex or PHC
 * strings.
 */
import type { Migration } from './migration.js'
import { bigint, boolean, integer, local, longText, nullable, sequence, string, table, text, time } from './table.js'

const id = () => string(64)
/** SHA-256 in hex, or shorter. */
const hash = () => string(64)
/** PHC string. */
const passwordHash = () => string(255)
/** A name, an e-mail address or another text of a person. */
const words = () => string(255)
/** A word of the program, such as a role or a state. */
const keyword = () => string(16)
const ipAddress = () => string(64)

/**
 * State of the instance and its accounts. In every backup are users, their identities and second factors, the settings,
 * the audit log and the stats. Sessions, links of e-mails and device logins must not return after they were revoked.
 * The instance state has the key of the instance, which opens its cookies and the signing secrets of webhooks; a
 * restored instance creates its own.
 */
const ACCOUNT_TABLES = {
  instance_state: table({
    // The progress of a copy contains a whole row.
    columns: { name: id(), value: longText() },
    key: ['name'],
    backup: null,
  }),
  settings: table({ columns: { name: id(), value: text() }, key: ['name'], backup: 'accounts' }),
  users: table({
    columns: {
      id: id(),
      username: string(64),
      email: words(),
      password_hash: nullable(passwordHash()),
      role: keyword(),
      /** `generated` in the API: the password was generated, or set by someone else. */
      must_change_password: boolean(),
      created_at: time(),
      notifications: boolean(),
      /** A tag such as `pt-BR`; null until the user asks for a notification. */
      language: nullable(string(64)),
      email_verified: nullable(time()),
      sign_in_alerts: boolean(),
      /** Null: active. */
      suspended_at: nullable(time()),
      /** Null: never. */
      signed_in_at: nullable(time()),
      /** Rows that give access to the account, or to events of the user's secrets, name its epoch. */
      epoch: bigint(),
      /** The verified address before the current one, and until when it gets messages about changes. */
      former_email: nullable(words()),
      former_email_until: nullable(time()),
      /** The provider whose groups deny the user the creation of secrets. */
      creation_denied_by: nullable(string(64)),
      /** Groups that policies name, with their provider, as JSON. */
      groups_json: nullable(text()),
      /** Names of groups that an administrator set, as JSON; null: none. */
      assigned_groups_json: nullable(text()),
      /** Has a passkey or an authenticator app. */
      second_factor: boolean(),
      /** Devices of sign-ins before it are unknown. Null: the user forgot none. */
      devices_since: nullable(time()),
      /** Defaults of the forms of the user: seconds, and a number of views. Null: the default of the policy. */
      default_ttl: nullable(integer()),
      default_views: nullable(integer()),
    },
    key: ['id'],
    unique: [['username'], ['email']],
    indexes: [['role', 'username']],
    backup: 'accounts',
  }),
  identities: table({
    columns: {
      /** Of provider and subject, because engines compare subjects differently. */
      hash: hash(),
      provider: string(64),
      subject: words(),
      user_id: id(),
      epoch: bigint(),
      created_at: nullable(time()),
    },
    key: ['hash'],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    backup: 'accounts',
  }),
  passkeys: table({
    columns: {
      id: id(),
      user_id: id(),
      /** Of the credential id, which is too long for an index. */
      credential_hash: hash(),
      credential_id: text(),
      public_key: text(),
      counter: bigint(),
      /** Separated by spaces. */
      transports: words(),
      backed_up: boolean(),
      name: words(),
      created_at: time(),
      used_at: nullable(time()),
      epoch: bigint(),
    },
    key: ['id'],
    unique: [['credential_hash']],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    backup: 'accounts',
  }),
  authenticators: table({
    columns: {
      user_id: id(),
      /** Encrypted with a key outside of the database. */
      secret: words(),
      created_at: time(),
      used_at: nullable(time()),
      last_step: bigint(),
      epoch: bigint(),
    },
    key: ['user_id'],
    references: { user_id: 'users.id' },
    backup: 'accounts',
  }),
  recovery_codes: table({
    columns: { user_id: id(), hash: hash(), epoch: bigint() },
    key: ['user_id', 'hash'],
    references: { user_id: 'users.id' },
    backup: 'accounts',
  }),
  sessions: table({
    columns: {
      id: id(),
      user_id: id(),
      token_hash: hash(),
      /** The previous token and the end of its grace period; null until the first rotation. */
      previous_hash: nullable(hash()),
      previous_until: nullable(time()),
      created_at: time(),
      seen_at: time(),
      expires_at: time(),
      ends_at: time(),
      client: string(64),
      epoch: bigint(),
      level: integer(),
      proven_at: nullable(time()),
    },
    key: ['id'],
    unique: [['token_hash']],
    indexes: [['user_id'], ['previous_hash']],
    references: { user_id: 'users.id' },
    expires: 'expires_at',
    backup: null,
  }),
  api_tokens: table({
    columns: {
      id: id(),
      hash: hash(),
      user_id: id(),
      name: words(),
      /** Separated by spaces. */
      scopes: words(),
      created_at: time(),
      used_at: nullable(time()),
      expires_at: time(),
      secrets_left: nullable(bigint()),
      bytes_left: nullable(bigint()),
      allowed_ip: nullable(ipAddress()),
      epoch: bigint(),
    },
    key: ['id'],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    expires: 'expires_at',
    backup: 'tokens',
  }),
  one_time_links: table({
    columns: {
      /** Hash of the token in the link. */
      id: id(),
      purpose: string(32),
      user_id: id(),
      email: nullable(words()),
      expires_at: time(),
      epoch: bigint(),
    },
    key: ['id'],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    expires: 'expires_at',
    backup: null,
  }),
  device_logins: table({
    columns: {
      /** Hashes of the device code and of the user code. */
      hash: hash(),
      user_code_hash: hash(),
      client: words(),
      /** Separated by spaces. */
      scopes: words(),
      address: nullable(ipAddress()),
      created_at: time(),
      expires_at: time(),
      state: keyword(),
      /** User who decided. Null: pending. */
      user_id: nullable(id()),
      epoch: nullable(bigint()),
    },
    key: ['hash'],
    unique: [['user_code_hash']],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    expires: 'expires_at',
    backup: null,
  }),
  webhooks: table({
    columns: {
      id: id(),
      /** Its name in the outbox. */
      subscriber: id(),
      user_id: id(),
      name: words(),
      url: string(2000),
      /** Separated by spaces; empty: all. */
      types: text(),
      /** Encrypted, in base64url. */
      secret: string(255),
      previous_secret: nullable(string(255)),
      previous_until: nullable(time()),
      failing_since: nullable(time()),
      created_at: time(),
      epoch: bigint(),
      /** Of the API token that created the webhook. Null: a session did. */
      expires_at: nullable(time()),
    },
    key: ['id'],
    unique: [['subscriber']],
    indexes: [['user_id']],
    references: { user_id: 'users.id' },
    backup: null,
  }),
  // No foreign keys: entries outlive the users they name.
  audit: table({
    columns: {
      id: id(),
      at: time(),
      action: string(64),
      actor: nullable(words()),
      subject: nullable(words()),
      address: nullable(ipAddress()),
      /** JSON. */
      detail: text(),
      position: bigint(),
      previous: hash(),
      hash: hash(),
    },
    key: ['id'],
    indexes: [
      ['at', 'id'],
      ['action', 'at', 'id'],
      ['actor', 'at', 'id'],
      ['subject', 'at', 'id'],
      ['position', 'id'],
    ],
    // Entries that are appended meanwhile come last, so that a backup has a part of the chain without gaps.
    order: ['position', 'id'],
    backup: 'accounts',
  }),
}

/**
 * Secrets, requests, and rows about both. Backups with secrets have the secrets, their texts and files. A closed
 * request must not return; submissions are secrets, and are restored as such. Receipts and ended secrets would be kept
 * for longer than their retention.
 */
const SECRET_TABLES = {
  secrets: table({
    columns: {
      id: id(),
      kind: keyword(),
      title: nullable(words()),
      access_hash: nullable(passwordHash()),
      password_hash: nullable(passwordHash()),
      burn_hash: passwordHash(),
      owner_id: nullable(id()),
      allowed_ip: nullable(ipAddress()),
      max_views: nullable(integer()),
      views: integer(),
      prevent_burn: boolean(),
      notify: boolean(),
      created_at: time(),
      expires_at: time(),
      files: integer(),
      /** Consecutive wrong passwords, and the number of locks so far. */
      failures: integer(),
      locks: integer(),
      locked_until: time(),
      /** The expiry or, of a used-up secret, the end of the last claim's grace period. */
      cleanup_at: time(),
      // Backups do not contain receipts.
      receipt_hash: { ...nullable(hash()), isPrivate: true },
      /** Number of named recipients; 0: everyone with the link. */
      recipients: integer(),
    },
    key: ['id'],
    indexes: [
      ['kind', 'created_at'],
      ['owner_id', 'created_at'],
    ],
    references: { owner_id: 'users.id' },
    expires: 'cleanup_at',
    backup: 'secrets',
  }),
  receipts: table({
    columns: {
      /** Of the token in the receipt link. Nothing in this table leads to the secret. */
      hash: hash(),
      owner_id: nullable(id()),
      max_views: nullable(integer()),
      created_at: time(),
      expires_at: time(),
      views: integer(),
      viewed_at: nullable(time()),
      wrong_passwords: integer(),
      wrong_password_at: nullable(time()),
      refused_addresses: integer(),
      refused_address_at: nullable(time()),
      outcome: nullable(keyword()),
      ended_at: nullable(time()),
    },
    key: ['hash'],
    indexes: [['owner_id']],
    references: { owner_id: 'users.id' },
    expires: 'ended_at',
    backup: null,
  }),
  receipt_views: table({
    columns: {
      receipt_hash: hash(),
      number: integer(),
      at: time(),
      network: nullable(ipAddress()),
      browser: nullable(string(64)),
      recipient: nullable(integer()),
    },
    key: ['receipt_hash', 'number'],
    references: { receipt_hash: 'receipts.hash' },
    backup: null,
  }),
  ended_secrets: table({
    columns: {
      id: id(),
      // Without a foreign key, whose check would lock the user in every last view: deleting a user locks in the other
      // order.
      owner_id: id(),
      kind: keyword(),
      outcome: keyword(),
      created_at: time(),
      ended_at: time(),
      views: integer(),
      max_views: nullable(integer()),
      has_password: boolean(),
      files: integer(),
    },
    key: ['id'],
    indexes: [['owner_id', 'ended_at', 'id']],
    expires: 'ended_at',
    backup: null,
  }),
  // A separate table, so that counting a view does not rewrite the text.
  texts: table({
    columns: {
      secret_id: id(),
      /** Padding between the start of a row and its text, used on SQLite; empty on other engines. */
      margin: local(text()),
      text: longText(),
    },
    key: ['secret_id'],
    references: { secret_id: 'secrets.id' },
    maxRowsPerRead: 16,
    backup: 'secrets',
  }),
  named_recipients: table({
    columns: {
      secret_id: id(),
      number: integer(),
      /** HMACs of the address and of the code that was mailed last. The address itself is not stored. */
      address_hash: hash(),
      code_hash: nullable(hash()),
      code_expires_at: time(),
      views: integer(),
    },
    key: ['secret_id', 'number'],
    references: { secret_id: 'secrets.id' },
    backup: 'secrets',
  }),
  claims: table({
    columns: {
      secret_id: id(),
      claim_hash: hash(),
      expires_at: time(),
      /** An acknowledged claim cannot view the secret again. The row stays until the secret is deleted. */
      acked: boolean(),
    },
    key: ['secret_id', 'claim_hash'],
    references: { secret_id: 'secrets.id' },
    expires: 'expires_at',
    backup: null,
  }),
  idempotency_records: table({
    columns: { key_hash: hash(), response: text(), expires_at: time() },
    key: ['key_hash'],
    expires: 'expires_at',
    backup: null,
  }),
  requests: table({
    columns: {
      id: id(),
      owner_id: nullable(id()),
      recipient: text(),
      /** Title and instructions, encrypted. */
      note: nullable(text()),
      submit_hash: hash(),
      collect_hash: hash(),
      max_submissions: integer(),
      submissions: integer(),
      max_bytes: nullable(bigint()),
      allow_files: boolean(),
      allowed_ip: nullable(ipAddress()),
      created_at: time(),
      expires_at: time(),
      notify: boolean(),
    },
    key: ['id'],
    indexes: [['owner_id', 'created_at']],
    references: { owner_id: 'users.id' },
    expires: 'expires_at',
    backup: null,
  }),
  submissions: table({
    columns: {
      // No foreign key: the row outlives the viewed secret, so that the requester sees the view.
      secret_id: id(),
      request_id: id(),
      created_at: time(),
      expires_at: time(),
      /** Encrypted bytes of text and files. */
      size: bigint(),
      files: integer(),
    },
    key: ['secret_id'],
    indexes: [['request_id']],
    references: { request_id: 'requests.id' },
    backup: null,
  }),
}

const FILE_TABLES = {
  // The files of several links have a row for each of them, with the same blobs.
  attachments: table({
    columns: {
      id: id(),
      /** The id that clients know. Links with the same upload have it in common. */
      file_id: id(),
      blob: id(),
      size: bigint(),
      parts: integer(),
      token_hash: hash(),
      uploader: string(64),
      /** API token whose limit of bytes an upload reserves. No foreign key: it may outlive the token. */
      reserved_for: nullable(id()),
      /** How many secrets may have it, and how many rows were copied from this one. */
      copies: integer(),
      copies_made: integer(),
      // No foreign key: the row must exist until its blobs are deleted, also if the secret is deleted before.
      secret_id: nullable(id()),
      /** Among the files of the secret. */
      position: integer(),
      name: nullable(words()),
      type: nullable(words()),
      expires_at: time(),
    },
    key: ['id'],
    indexes: [['uploader'], ['secret_id'], ['blob', 'expires_at']],
    expires: 'expires_at',
    backup: 'secrets',
  }),
  // The stored parts of an upload. The file of a secret has all of them.
  attachment_parts: table({
    columns: { attachment_id: id(), position: integer() },
    key: ['attachment_id', 'position'],
    references: { attachment_id: 'attachments.id' },
    backup: null,
  }),
  tickets: table({
    columns: { hash: hash(), attachment_id: id(), expires_at: time() },
    key: ['hash'],
    indexes: [['attachment_id']],
    references: { attachment_id: 'attachments.id' },
    expires: 'expires_at',
    backup: null,
  }),
}

const SERVER_TABLES = {
  // No foreign keys: an event outlives the secret or the user that it is about. Ids sort nearly as `seq` does.
  outbox: table({
    columns: {
      /** In the order of the commits of one secret, because its row is locked while it changes. */
      seq: sequence(),
      id: id(),
      subscriber: string(64),
      subject: string(128),
      type: string(64),
      data: text(),
      created_at: time(),
      state: string(64),
      attempts: integer(),
      next_at: time(),
      ended_at: nullable(time()),
      result: nullable(string(255)),
    },
    key: ['id'],
    unique: [['id']],
    indexes: [
      ['subscriber', 'state', 'next_at'],
      ['subject', 'subscriber', 'state'],
      ['state', 'created_at'],
    ],
    backup: null,
  }),
  // One narrow row for each change, until it is moved to the outbox. A copy moves them before it reads the outbox.
  new_events: table({
    columns: {
      /** As in the outbox. */
      seq: sequence(),
      /** JSON. */
      events: longText(),
    },
    key: ['seq'],
    isLocal: true,
    backup: null,
  }),
  stats: table({
    columns: {
      /** A day in UTC, such as 2026-11-21. */
      day: string(10),
      name: string(32),
      amount: bigint(),
    },
    key: ['day', 'name'],
    backup: 'accounts',
  }),
  // Counters of rate limits, until their window ends.
  rate_limits: table({
    columns: { name: id(), used: bigint(), ends_at: time() },
    key: ['name'],
    expires: 'ends_at',
    backup: null,
  }),
  leases: table({
    columns: { name: id(), holder: string(64), ends_at: time() },
    key: ['name'],
    isLocal: true,
    backup: null,
  }),
}

export const schema = {
  name: '001_schema',
  tables: { ...ACCOUNT_TABLES, ...SECRET_TABLES, ...FILE_TABLES, ...SERVER_TABLES },
} satisfies Migration
