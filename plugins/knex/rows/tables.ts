/** Description of the tables, for copying rows between engines. */

export interface Table {
  /** Primary key. */
  key: string[]
  strings?: string[]
  /** Some drivers return them as strings. */
  numbers?: string[]
  /** Some drivers return them as 0 and 1. */
  booleans?: string[]
  /** Maximum number of rows in one read, for tables with large rows. */
  maxRowsPerRead?: number
}

/**
 * Referenced tables come before those that refer to them. `leases` is process state, and is not copied, nor are the
 * tables of the migrations. The row store moves `new_events` to `outbox` before it reads that.
 */
export const TABLES: Record<string, Table> = {
  instance_state: { key: ['name'], strings: ['name', 'value'] },
  settings: { key: ['name'], strings: ['name', 'value'] },
  users: {
    key: ['id'],
    strings: ['id', 'username', 'email', 'password_hash', 'role', 'language'],
    numbers: ['created_at', 'email_verified'],
    booleans: ['generated', 'notifications', 'sign_in_alerts'],
  },
  identities: { key: ['hash'], strings: ['hash', 'provider', 'subject', 'user_id'] },
  sessions: {
    key: ['id'],
    strings: ['id', 'user_id', 'token_hash', 'previous_hash', 'client'],
    numbers: ['previous_until', 'created_at', 'seen_at', 'expires_at', 'ends_at'],
  },
  tokens: {
    key: ['id'],
    strings: ['id', 'hash', 'user_id', 'name', 'scopes', 'allowed_ip'],
    numbers: ['created_at', 'used_at', 'expires_at', 'secrets_left', 'bytes_left'],
  },
  password_resets: { key: ['id'], strings: ['id', 'user_id', 'email'], numbers: ['expires_at'] },
  email_verifications: { key: ['id'], strings: ['id', 'user_id', 'email'], numbers: ['expires_at'] },
  webhooks: {
    key: ['id'],
    strings: ['id', 'subscriber', 'user_id', 'name', 'url', 'types', 'secret', 'previous_secret'],
    numbers: ['previous_until', 'failing_since', 'created_at'],
  },
  audit: {
    key: ['id'],
    strings: ['id', 'action', 'actor', 'subject', 'address', 'detail'],
    numbers: ['at'],
  },
  secrets: {
    key: ['id'],
    strings: [
      'id',
      'kind',
      'title',
      'access_hash',
      'password_hash',
      'burn_hash',
      'owner_id',
      'allowed_ip',
      'receipt_hash',
    ],
    numbers: [
      'max_views',
      'views',
      'created_at',
      'expires_at',
      'failures',
      'locks',
      'locked_until',
      'sweep_at',
      'files',
    ],
    booleans: ['prevent_burn', 'notify'],
  },
  receipts: {
    key: ['hash'],
    strings: ['hash', 'owner_id', 'outcome'],
    numbers: [
      'max_views',
      'created_at',
      'expires_at',
      'views',
      'viewed_at',
      'wrong_passwords',
      'wrong_password_at',
      'refused_addresses',
      'refused_address_at',
      'ended_at',
    ],
  },
  receipt_views: {
    key: ['receipt_hash', 'number'],
    strings: ['receipt_hash', 'network', 'browser'],
    numbers: ['number', 'at'],
  },
  ended_secrets: {
    key: ['id'],
    strings: ['id', 'owner_id', 'kind', 'outcome'],
    numbers: ['created_at', 'ended_at', 'views', 'max_views', 'files'],
    booleans: ['has_password'],
  },
  // Without the margin, which depends on the engine.
  texts: { key: ['secret_id'], strings: ['secret_id', 'text'], maxRowsPerRead: 16 },
  claims: {
    key: ['secret_id', 'claim_hash'],
    strings: ['secret_id', 'claim_hash'],
    numbers: ['expires_at'],
    booleans: ['acked'],
  },
  replays: { key: ['key_hash'], strings: ['key_hash', 'answer'], numbers: ['expires_at'] },
  requests: {
    key: ['id'],
    strings: ['id', 'owner_id', 'recipient', 'note', 'submit_hash', 'collect_hash', 'allowed_ip'],
    numbers: ['max_submissions', 'submissions', 'max_bytes', 'created_at', 'expires_at'],
    booleans: ['allow_files', 'notify'],
  },
  submissions: {
    key: ['secret_id'],
    strings: ['secret_id', 'request_id'],
    numbers: ['created_at', 'expires_at', 'size', 'files'],
  },
  attachments: {
    key: ['id'],
    strings: ['id', 'blob', 'token_hash', 'uploader', 'secret_id', 'name', 'type'],
    numbers: ['size', 'parts', 'position', 'expires_at'],
  },
  attachment_parts: { key: ['attachment_id', 'position'], strings: ['attachment_id'], numbers: ['position'] },
  tickets: { key: ['hash'], strings: ['hash', 'attachment_id'], numbers: ['expires_at'] },
  // Without `seq`, which each database assigns by itself. Ids sort nearly as it does.
  outbox: {
    key: ['id'],
    strings: ['id', 'subscriber', 'subject', 'type', 'data', 'state', 'result'],
    numbers: ['created_at', 'attempts', 'next_at', 'ended_at'],
  },
  stats: { key: ['day', 'name'], strings: ['day', 'name'], numbers: ['amount'] },
  limits: { key: ['name'], strings: ['name'], numbers: ['used', 'ends_at'] },
}

export const TABLE_NAMES = Object.keys(TABLES)
