/** Maps errors to responses. Unknown errors are logged and returned as a plain 500. */
import { STATUS_CODES } from 'node:http'
import { describeCause, listCodes } from '../../lib/error-codes.js'
import { AppError, type ErrorCode, isAppError } from '../../lib/errors.js'
import type { Log, LogFields } from '../../lib/log.js'
import { findOperatorError } from '../../lib/operator-error.js'
import type { ApiError } from '../../shared/api/index.js'
import { setRateLimitHeaders } from '../lib/rate-limit-headers.js'
import type { AppContext, AppMiddleware } from '../lib/state.js'

/** Retry-After of status 503 unless the error has its own, in seconds. */
const RETRY_AFTER_S = 5
const ASKS_FOR_TOKEN: ReadonlySet<ErrorCode> = new Set(['auth.required', 'auth.invalid_token'])

/** Sends a response for every error that later middleware throws. */
export function errorHandler(log: Log): AppMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const known = isAppError(error) ? error : fromHttpError(error)
      if (!known) log.error('unexpected error', { requestId: ctx.state.requestId, ...describe(error) })
      sendError(ctx, known ?? new AppError('server.error'))
    }
  }
}

/** Sends the error body that all routes share. */
function sendError(ctx: AppContext, error: AppError): void {
  const { status, code, message, cause } = error
  const details = { ...(status === 503 ? { retryAfter: RETRY_AFTER_S } : {}), ...error.details }
  const body: ApiError = {
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    code,
    message,
    ...(details.field === undefined ? {} : { field: details.field }),
    ...(details.attemptsLeft === undefined ? {} : { attemptsLeft: details.attemptsLeft }),
    ...(details.retryAfter === undefined ? {} : { retryAfter: details.retryAfter }),
    ...(status >= 500 ? { requestId: ctx.state.requestId } : {}),
  }
  ctx.status = status
  if (ASKS_FOR_TOKEN.has(code) && !isBrowser(ctx)) {
    ctx.set('WWW-Authenticate', 'Basic realm="API token", charset="UTF-8"')
  }
  const { retryAfter, limit } = details
  if (retryAfter !== undefined) ctx.set('Retry-After', `${retryAfter}`)
  if (retryAfter !== undefined && limit !== undefined) setRateLimitHeaders(ctx, { limit, left: 0, seconds: retryAfter })
  ctx.state.errorCode = code
  if (status >= 500) {
    const causes = listCodes(cause)
    if (causes.length > 0) ctx.state.errorCause = causes.join(' < ')
    ctx.state.errorHint = findOperatorError(cause)?.hint
  }
  ctx.body = body
}

/** A browser would open its own password dialog. Over plain http it does not send Sec-Fetch-Mode. */
const isBrowser = (ctx: AppContext): boolean =>
  ctx.get('sec-fetch-mode') !== '' || /^Mozilla\//.test(ctx.get('user-agent'))

/** Errors of Koa, raw-body and node:http that the client caused. */
function fromHttpError(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('status' in error)) return null
  const codes: Record<number, ErrorCode> = {
    413: 'request.too_large',
    415: 'request.unsupported_type',
    408: 'request.timeout',
  }
  const status = Number(error.status)
  if (status < 400 || status > 499) return null
  const code = codes[status]
  return code ? new AppError(code) : new AppError('request.invalid', { message: 'The body is incomplete.' })
}

/** Name, codes and stack without the message: the message of a database driver may quote stored data. */
function describe(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    ...describeCause(error),
    at: frames
      .slice(0, 8)
      .map((line) => line.trim())
      .join(' < '),
  }
}
