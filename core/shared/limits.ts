/** Facts that both ends of the wire agree on. What an operator may change is announced by `GET /settings` instead. */

/** Shortest lifetime of a secret, in seconds. */
export const TTL_MIN = 60
/** Most views that a secret can be given. */
export const MAX_VIEWS = 9999
/** Longest title, in characters. */
export const TITLE_MAX = 255
/** Longest password of a secret that the server checks itself (raw and public), in characters. */
export const PASSWORD_MAX = 1024
/** Wrong passwords in a row until a secret is locked. */
export const PASSWORD_ATTEMPTS = 10
/** Highest scrypt work factor (log2 N) that a reader accepts in a sealed secret. */
export const SCRYPT_LOG_N_MAX = 14
/** Most items a list call answers at once. */
export const TAKE_MAX = 100
/** Most files that a secret can have on any instance; what an instance allows is announced by `GET /settings`. */
export const FILES_MAX = 100
/** Longest file name or media type of a raw or public secret, in characters. */
export const FILE_NAME_MAX = 255
/** Lengths of a user name, in characters of [a-z0-9_-]. */
export const USERNAME_MIN = 4
export const USERNAME_MAX = 20
/** Lengths of an account's password unless the operator changed them, in characters. Administrators need more. */
export const ACCOUNT_PASSWORD_MIN = 5
export const ACCOUNT_PASSWORD_MAX = 50
export const ADMIN_PASSWORD_MIN = 12
/** Longest e-mail address, in characters (RFC 5321, 4.5.3.1.3). */
export const EMAIL_MAX = 254
