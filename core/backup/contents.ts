/** What a backup holds, table by table. A table that is not named here is in none: contents.test.ts asks for a decision. */

/** In every backup. Whoever was deleted since is left out of a restore, with what names them. */
export const ACCOUNTS = ['settings', 'users', 'identities', 'audit', 'stats']
/** In a backup with secrets, a few secrets at a time with all that is theirs, in this order. */
export const SECRETS = ['secrets', 'texts', 'attachments', 'attachment_parts']
/**
 * In none. What lets somebody in must not come back after it was revoked; the rest says what is going on at the moment,
 * and has ended before anything is restored.
 */
export const NEVER = ['sessions', 'tokens', 'claims', 'replays', 'tickets', 'limits']
