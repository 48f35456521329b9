/** Errors of the API: code -> HTTP status and default message. The only place with status codes. */
export const ERRORS = {
  'request.invalid': [400, 'The request is invalid.'],
  'request.unsupported_type': [415, 'Send the body as application/json, without Content-Encoding.'],
  'request.too_large': [413, 'The request is too large.'],
  'request.timeout': [408, 'The request took too long.'],
  'request.not_found': [404, 'Unknown endpoint.'],
  'request.method_not_allowed': [405, 'Method not allowed.'],
  'request.idempotency_mismatch': [409, 'This Idempotency-Key was used for a different request.'],
  'request.cross_site': [403, 'This request came from another site.'],
  'request.wrong_host': [421, 'Unknown host name. Use the public URL of this instance.'],
  'request.wrong_role': [404, 'This address only opens secrets and answers requests. Use the internal address.'],
  'limit.reached': [429, 'Too many requests. Try again later.'],
  'auth.required': [401, 'Sign in first.'],
  'auth.invalid_credentials': [401, 'The username or password is wrong.'],
  'auth.invalid_token': [401, 'This API token is invalid.'],
  'auth.password_wrong': [403, 'The current password is wrong.'],
  'auth.password_common': [400, 'This password is too common. Choose another one.'],
  'auth.password_same': [400, 'This is the old password. Choose another one.'],
  'auth.password_change': [403, 'Change your password first. Administrators need one that only they know.'],
  'auth.admin_only': [403, 'Only administrators can do this.'],
  'auth.scope': [403, 'This API token does not have the required permission.'],
  'auth.interactive': [
    403,
    'API tokens cannot do this. Sign in, or use the command line on the machine of the instance.',
  ],
  'auth.users_disabled': [403, 'Only administrators can sign in at the moment.'],
  'auth.suspended': [403, 'This account is suspended. Ask an administrator.'],
  'auth.sign_up_disabled': [403, 'Sign-up is disabled. Ask an administrator for an account.'],
  'auth.email_domain': [403, 'Use an e-mail address of your organization.'],
  'auth.refused': [403, 'Sign-in failed. Start again.'],
  'auth.unavailable': [503, 'The sign-in service does not respond. Try again later.'],
  'auth.account_exists': [
    409,
    'An account with your e-mail address exists. Sign in to it, then connect this sign-in method.',
  ],
  'auth.identity_taken': [409, 'This sign-in method is connected to another account.'],
  'auth.last_way': [409, 'This is the last sign-in method of the account.'],
  'auth.proof_required': [403, 'Confirm that it is you. This action needs a confirmation within the last ten minutes.'],
  'auth.second_factor_required': [403, 'Finish the sign-in with your second factor.'],
  'auth.factor_enrolment_required': [403, 'Add a passkey or an authenticator app first. This instance requires it.'],
  'auth.password_elsewhere': [403, 'This account has no password on this instance.'],
  'auth.reset_link': [403, 'This link is invalid or has expired. Ask for a new one.'],
  'auth.verification_link': [403, 'This link is invalid or has expired. Send a new one from your account settings.'],
  'auth.email_unverified': [403, 'Confirm your e-mail address first, with the link in the e-mail you got.'],
  'auth.code_wrong': [403, 'The code is wrong or was used before.'],
  'auth.passkey_refused': [403, 'This passkey was not accepted. Try again, or use another way.'],
  'auth.second_step_expired': [403, 'The sign-in took too long. Start again with your password.'],
  'auth.last_factor': [409, 'This is the last second factor of the account, which needs one.'],
  'auth.not_creator': [403, 'Your groups at the sign-in provider do not allow you to create secrets.'],
  'auth.setup_code': [403, 'The setup code is wrong or has expired.'],
  'auth.device_pending': [400, 'The sign-in is not approved yet.'],
  'auth.device_slow_down': [400, 'Asked too soon. Wait longer between two requests.'],
  'auth.device_denied': [403, 'The sign-in was denied.'],
  'auth.device_expired': [403, 'This code is wrong, was used, or has expired. Start the sign-in again.'],
  'user.not_found': [404, 'User not found.'],
  'user.name_taken': [409, 'This username is taken.'],
  'user.email_taken': [409, 'This e-mail address is taken.'],
  'user.last_admin': [409, 'This is the last administrator.'],
  'session.not_found': [404, 'Session not found.'],
  'identity.not_found': [404, 'This sign-in method is not connected.'],
  'access.not_found': [404, 'The account does not have this any more.'],
  'token.not_found': [404, 'API token not found.'],
  'token.limit_reached': [409, 'Too many API tokens. Delete one first.'],
  'token.used_up': [403, 'The quota of this API token is used up.'],
  'webhook.not_found': [404, 'Webhook not found.'],
  'webhook.delivery_not_found': [404, 'This delivery is not in the log any more.'],
  'webhook.limit_reached': [409, 'Too many webhooks. Delete one first.'],
  'secret.not_found': [404, 'This secret does not exist, has expired, or has already been viewed.'],
  'secret.password_required': [401, 'This secret requires a password.'],
  'secret.password_wrong': [401, 'The password is wrong. The secret was not opened.'],
  'secret.code_required': [401, 'This secret requires the code that its recipient gets by e-mail.'],
  'secret.code_wrong': [401, 'The code is wrong, was used, or has expired. The secret was not opened.'],
  'secret.locked': [423, 'Too many wrong passwords or codes. The secret is locked. Try again later.'],
  'secret.changed': [409, 'The secret was opened or changed in the meantime.'],
  'receipt.not_found': [404, 'This receipt does not exist, or is not kept any more.'],
  'secret_request.not_found': [404, 'This request does not exist, has expired, or is complete.'],
  'mail.unavailable': [400, 'This server sends no e-mail, so it cannot check recipients.'],
  'file.not_found': [404, 'This file does not exist or has expired.'],
  'file.damaged': [500, 'The file is damaged on the server.'],
  'file.incomplete': [409, 'Parts of this file are missing.'],
  'file.too_large': [413, 'The file is too large.'],
  'file.visitors_refused': [403, 'Sign in to upload files.'],
  'file.too_many_uploads': [429, 'Too many open uploads. Finish or cancel one first.'],
  'file.quota_used_up': [429, 'The daily upload quota is used up.'],
  'file.no_space': [507, 'The file store is full.'],
  'file.unavailable': [503, 'The file store does not respond. Try again later.'],
  'settings.uploads_disabled': [403, 'File uploads are disabled.'],
  'settings.requests_disabled': [403, 'Secret requests are disabled.'],
  'settings.policy': [403, 'A policy of this instance does not allow this.'],
  'settings.changed': [409, 'The settings were changed in the meantime. Read them again.'],
  'settings.read_only': [403, 'This instance is read-only.'],
  'settings.users_only': [403, 'Only signed-in users can create secrets on this instance. Sign in first.'],
  'settings.admins_only': [403, 'Only administrators can create secrets on this instance.'],
  'storage.conflict': [409, 'This name is taken.'],
  'storage.unavailable': [503, 'The storage does not respond. Try again later.'],
  'storage.full': [507, 'The database is full.'],
  'server.busy': [503, 'The server is busy. Try again later.'],
  'server.error': [500, 'Something went wrong.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof ERRORS

/** Details of an error. All of them are sent to the client. */
export interface ErrorDetails {
  /** Replaces the default message. */
  message?: string
  /** The invalid field of the request. */
  field?: string
  attemptsLeft?: number
  /** Seconds. */
  retryAfter?: number
  /** The rate limit that was reached, for the `RateLimit` headers. */
  limit?: number
}

/** An error that is sent to the client. http/middleware/error-handler.ts turns it into a response. */
export class AppError extends Error {
  override name = 'AppError'
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    const { stackTraceLimit } = Error
    // Errors of clients are expected and never logged with a stack, which would cost more than the rest of the
    // response.
    if (ERRORS[code][0] < 500) Error.stackTraceLimit = 0
    super(details.message ?? ERRORS[code][1], options)
    Error.stackTraceLimit = stackTraceLimit
  }
  get status(): number {
    return ERRORS[this.code][0]
  }
}

/** Names a field of the request. */
export const fieldError = (field: string, problem: string, code: ErrorCode = 'request.invalid'): AppError =>
  new AppError(code, { field, message: `${field}: ${problem}` })

/** Handles rejections: throws another error for `storage.conflict`. */
export const onConflict =
  (code: ErrorCode, details?: ErrorDetails) =>
  (error: unknown): never => {
    throw isAppError(error, 'storage.conflict') ? new AppError(code, details) : error
  }

/** Compares name and code instead of the class, because a plugin may contain its own copy of this module. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  if (!(error instanceof Error) || error.name !== 'AppError' || !('code' in error)) return false
  return code === undefined ? String(error.code) in ERRORS : error.code === code
}
