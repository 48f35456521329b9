/** The tables of a backup. Every table must be listed here, which contents.test.ts checks. */

/** In every backup. A restore skips users who were deleted since, with their rows. */
export const ACCOUNTS = ['settings', 'users', 'identities', 'audit', 'stats']
/** In backups with secrets. Written in this order for a few secrets at a time. */
export const SECRETS = ['secrets', 'texts', 'attachments', 'attachment_parts']
/** In no backup. Sessions and tokens must not return after they were revoked. The other rows are short-lived state. */
export const NEVER = ['sessions', 'tokens', 'claims', 'replays', 'tickets', 'limits']
