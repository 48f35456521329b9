/** Limits that client and server share. Limits that the operator can change are in the response of `GET /settings`. */

/** Minimum lifetime of a secret, in seconds. */
export const TTL_MIN = 60
/** Maximum length of a text, in plaintext bytes. An instance may allow less, see `GET /settings`. */
export const TEXT_BYTES_MAX = 64 * 2 ** 20
/** Maximum for `maxViews`. */
export const MAX_VIEWS = 9999
/** Maximum length of a title, in characters. */
export const TITLE_MAX = 255
/** Maximum length of the password of a raw or public secret, in characters. */
export const PASSWORD_MAX = 1024
/** Number of consecutive wrong passwords that lock a secret. */
export const PASSWORD_ATTEMPTS = 10

/** Maximum number of named recipients of a secret. */
export const RECIPIENTS_MAX = 10
/** Length of the code that a named recipient gets by e-mail, in digits. */
export const RECIPIENT_CODE_LENGTH = 8
/** How long a code of a recipient works. */
export const RECIPIENT_CODE_MINUTES = 10

/** Number of views that a receipt lists with their times. */
export const RECEIPT_VIEWS_MAX = 50
/** Maximum scrypt work factor (log2 N) that a reader accepts in a sealed secret. */
export const SCRYPT_LOG_N_MAX = 14
/** Maximum page size of a list. */
export const TAKE_MAX = 100
/** Maximum number of files of a secret. An instance may allow fewer, see `GET /settings`. */
export const FILES_MAX = 100
/** Maximum number of secrets that share an upload. */
export const COPIES_MAX = 1000
/** Maximum length of a file name or media type, in characters. */
export const FILE_NAME_MAX = 255
/** Length of a username, in characters of [a-z0-9._-]. */
export const USERNAME_MIN = 4
export const USERNAME_MAX = 20
/** Default length limits of an account's password, in characters. Administrators need ADMIN_PASSWORD_MIN. */
export const ACCOUNT_PASSWORD_MIN = 5
export const ACCOUNT_PASSWORD_MAX = 50
export const ADMIN_PASSWORD_MIN = 12
/** Maximum length of an e-mail address, in characters (RFC 5321, 4.5.3.1.3). */
export const EMAIL_MAX = 254
/** Maximum number of submissions of a request. */
export const SUBMISSIONS_MAX = 100
/** Maximum length of the encrypted title and instructions of a request, in characters. */
export const REQUEST_NOTE_MAX = 8 * 1024
