/** The tables of a backup. Every table must be listed here, which contents.test.ts checks. */

import type { PlainRow } from '../contracts/rows.js'

/** In every backup. A restore skips users who were deleted since, with their rows. */
export const ACCOUNTS = ['settings', 'users', 'identities', 'audit', 'stats']
/** In backups with secrets. Written in this order for a few secrets at a time. */
export const SECRETS = ['secrets', 'texts', 'attachments', 'attachment_parts']
/**
 * In no backup. Sessions, tokens and links of e-mails must not return after they were revoked. The instance state has the key of the instance,
 * which opens its cookies and the signing secrets of webhooks; a restored instance creates its own. A closed request must not return
 * either; submissions are secrets, and are restored as such. The other rows are short-lived state, receipts, and ended secrets, which a
 * backup would keep for longer than their retention.
 */
export const NEVER = [
  'instance_state',
  'sessions',
  'tokens',
  'password_resets',
  'email_verifications',
  'webhooks',
  'requests',
  'submissions',
  'receipts',
  'receipt_views',
  'ended_secrets',
  'claims',
  'replays',
  'tickets',
  'limits',
  'outbox',
]

/**
 * Migrations that left the rows of backups as they were, but for `FORMER_SETTINGS` and `ADDED_COLUMNS`: backups of older versions
 * stay valid.
 */
const ROWS_UNCHANGED_BY = [
  '005_instance_state',
  '006_requests',
  '007_events',
  '008_request_notify',
  '012_notifications',
  '013_password_resets',
  '014_receipts',
  '015_verified_emails',
  '016_ended_secrets',
  '017_user_webhooks',
  '018_new_events',
]
/** Columns that older versions did not have, with the defaults of their migrations. */
const ADDED_COLUMNS: Record<string, PlainRow> = {
  users: { notifications: true, language: null, email_verified: null, sign_in_alerts: true },
  secrets: { notify: false },
}
/** Columns whose content is in no backup. */
const LEFT_OUT: Record<string, PlainRow> = { secrets: { receipt_hash: null } }
/** Rows that older versions kept among the settings. A restore drops them: they are instance state now. */
const FORMER_SETTINGS = ['instance_key', 'setup_code_hash', 'setup_code_ends', 'clock', 'copy_progress']

/** Whether a backup of schema `made` has the rows of schema `current`. Both are names of migrations, in order. */
export function isSchemaRestorable(made: string[], current: string[]): boolean {
  const added = current.slice(made.length)
  return made.join() === current.slice(0, made.length).join() && added.every((name) => ROWS_UNCHANGED_BY.includes(name))
}

/** The rows of a backup as the current version stores them: without those that their table no longer has, and with all columns, of which some are empty. */
export function upgradeRows(table: string, rows: PlainRow[]): PlainRow[] {
  const kept = table === 'settings' ? rows.filter(({ name }) => !FORMER_SETTINGS.includes(String(name))) : rows
  const added = ADDED_COLUMNS[table]
  return added ? kept.map((row) => ({ ...added, ...row, ...LEFT_OUT[table] })) : kept
}
