/** Every failure that a caller may learn of: code -> status and message. Nothing else knows a status code. */
export const ERRORS = {
  'request.invalid': [400, 'The request is not valid.'],
  'request.unsupported_type': [415, 'Send the body as application/json, without Content-Encoding.'],
  'request.too_large': [413, 'The request is too large.'],
  'request.timeout': [408, 'The request took too long.'],
  'request.not_found': [404, 'There is no such call.'],
  'request.method_not_allowed': [405, 'This call does not take that method.'],
  'request.idempotency_mismatch': [409, 'This Idempotency-Key was used for a different request.'],
  'request.cross_site': [403, 'This request came from another site.'],
  'request.wrong_host': [421, 'This instance does not answer under that name.'],
  'limit.reached': [429, 'Too many requests. Try again later.'],
  'auth.required': [401, 'Sign in first.'],
  'auth.invalid_credentials': [401, 'The user name or the password is wrong.'],
  'auth.invalid_token': [401, 'This API token is not valid.'],
  'auth.password_wrong': [403, 'The current password is wrong.'],
  'auth.password_common': [400, 'This password is among the first that others try. Choose another one.'],
  'auth.admin_only': [403, 'Only administrators may do that.'],
  'auth.scope': [403, 'This API token may not do that.'],
  'auth.users_disabled': [403, 'Only administrators can sign in at the moment.'],
  'auth.sign_up_disabled': [403, 'New accounts are made by an administrator here.'],
  'auth.email_domain': [403, 'Accounts here need an e-mail address of the organization.'],
  'auth.refused': [403, 'Signing in did not work. Start again.'],
  'auth.unavailable': [503, 'The sign-in service does not answer. Try again later.'],
  'auth.account_exists': [
    409,
    'There is an account with your e-mail address. Sign in to it as before, then connect it.',
  ],
  'auth.identity_taken': [409, 'This way of signing in belongs to another account.'],
  'auth.last_way': [409, 'This is the last way to sign in to this account.'],
  'auth.sign_in_again': [403, 'Sign in again first: this needs a sign-in of the last ten minutes.'],
  'auth.password_elsewhere': [403, 'This account has no password of its own.'],
  'auth.setup_code': [403, 'The set-up code is wrong, or its time is over.'],
  'user.not_found': [404, 'There is no such user.'],
  'user.name_taken': [409, 'That user name is taken.'],
  'user.email_taken': [409, 'That e-mail address is taken.'],
  'user.last_admin': [409, 'This is the last administrator.'],
  'session.not_found': [404, 'There is no such session.'],
  'identity.not_found': [404, 'This way to sign in is not connected.'],
  'token.not_found': [404, 'There is no such token.'],
  'token.limit_reached': [409, 'There are too many tokens already. Delete one first.'],
  'token.used_up': [403, 'What this token may create is used up.'],
  'secret.not_found': [404, 'This secret does not exist, has expired, or has already been viewed.'],
  'secret.password_required': [401, 'This secret needs a password.'],
  'secret.password_wrong': [401, 'The password is wrong. The secret has not been used up.'],
  'secret.locked': [423, 'Too many wrong passwords. The secret is locked for a while.'],
  'file.not_found': [404, 'This file does not exist, or its time is over.'],
  'file.incomplete': [409, 'Parts of this file are missing.'],
  'file.too_large': [413, 'The file is too large.'],
  'file.visitors_refused': [403, 'Only people who are signed in may upload files here.'],
  'file.too_many_uploads': [429, 'Too many uploads are open at once. Finish or cancel one first.'],
  'file.quota_used_up': [429, 'The amount that visitors may upload in a day is used up.'],
  'file.no_space': [507, 'There is no room left for files.'],
  'file.unavailable': [503, 'The file store does not answer. Try again later.'],
  'settings.uploads_disabled': [403, 'File uploads are turned off on this instance.'],
  'settings.read_only': [403, 'This instance is read-only.'],
  'storage.conflict': [409, 'That name is taken.'],
  'storage.unavailable': [503, 'The storage does not answer. Try again later.'],
  'storage.full': [507, 'There is no room left in the database.'],
  'server.busy': [503, 'The server is busy. Try again later.'],
  'server.error': [500, 'Something went wrong.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof ERRORS

/** What an error may tell beside its code. Everything here is shown to the caller. */
export interface ErrorDetails {
  /** Replaces the table's message. */
  message?: string
  /** The field of the request that is at fault. */
  field?: string
  attemptsLeft?: number
  /** Seconds. */
  retryAfter?: number
}

/** A failure that the caller may learn of. Thrown anywhere, answered in one place: http/errors.ts. */
export class AppError extends Error {
  override name = 'AppError'
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(details.message ?? ERRORS[code][1], options)
  }
  get status(): number {
    return ERRORS[this.code][0]
  }
}

/** Recognised by name and code, not by class: a plugin may carry its own copy of this module. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  if (!(error instanceof Error) || error.name !== 'AppError' || !('code' in error)) return false
  return code === undefined ? String(error.code) in ERRORS : error.code === code
}
