/**
 * Limits that client and server share, of features behind sign-in. Apart from limits.ts to keep the first page small.
 */

/** Maximum length of the name of an API token, in characters. */
export const TOKEN_NAME_MAX = 64
/** Maximum quota of secrets of an API token. */
export const TOKEN_SECRETS_MAX = 1_000_000
/** Separates program and system in the label of a session: `Firefox on Windows`. Neither name contains it. */
export const CLIENT_JOINT = ' on '
/** The statistics count live secrets up to this number, then show "at least". */
export const STATS_LIVE_MAX = 10_000
/**
 * Letters of the codes that users compare at a device login. Without vowels, Y and digits, they do not form words and
 * do not look alike.
 */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
/** A user code without separators: 34 bits. */
export const USER_CODE_PATTERN = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/
/** Maximum length of the name of a passkey, in characters. */
export const PASSKEY_NAME_MAX = 64
