/** Every failure that a caller may learn of: code -> status and message. Nothing else knows a status code. */
export const ERRORS = {
  'request.invalid': [400, 'The request is not valid.'],
  'request.unsupported_type': [415, 'Send the body as application/json, without Content-Encoding.'],
  'request.too_large': [413, 'The request is too large.'],
  'request.timeout': [408, 'The request took too long.'],
  'request.not_found': [404, 'There is no such call.'],
  'request.method_not_allowed': [405, 'This call does not take that method.'],
  'request.idempotency_mismatch': [409, 'This Idempotency-Key was used for a different request.'],
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
