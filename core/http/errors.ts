/** The one place where failures become answers. What is not known to be safe to tell is logged and told as a bare 500. */
import { STATUS_CODES } from 'node:http'
import type { Context, Next } from 'koa'
import { AppError, type ErrorCode, isAppError } from '../errors.js'
import type { Log } from '../log.js'
import type { ApiError } from '../shared/api.js'

/** Koa middleware: answers whatever the ones after it throw. */
export function errorFunnel(log: Log) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next()
    } catch (error) {
      const known = isAppError(error) ? error : fromHttp(error)
      if (!known) log.error('unexpected error', { requestId: ctx.state.requestId, ...traceOf(error) })
      answerError(ctx, known ?? new AppError('server.error'))
    }
  }
}

/** When to try again what does not answer now, in seconds. */
const SOON_S = 5

/** Writes the error body that every call shares. */
export function answerError(ctx: Context, error: AppError): void {
  const { status, code, message } = error
  const details = { ...(status === 503 ? { retryAfter: SOON_S } : {}), ...error.details }
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
  if (ASKS_FOR_TOKEN.has(code) && !isBrowser(ctx))
    ctx.set('WWW-Authenticate', 'Basic realm="API token", charset="UTF-8"')
  if (details.retryAfter !== undefined) ctx.set('Retry-After', String(details.retryAfter))
  ctx.state.errorCode = code
  ctx.body = body
}

const ASKS_FOR_TOKEN = new Set<ErrorCode>(['auth.required', 'auth.invalid_token'])

/** A browser would answer with a window of its own. Over plain http it does not send the first header. */
const isBrowser = (ctx: Context): boolean =>
  ctx.get('sec-fetch-mode') !== '' || /^Mozilla\//.test(ctx.get('user-agent'))

/** Failures of Koa, koa-body and node:http that are the caller's. */
function fromHttp(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('status' in error)) return null
  const codes: Record<number, ErrorCode> = {
    413: 'request.too_large',
    415: 'request.unsupported_type',
    408: 'request.timeout',
  }
  const status = Number(error.status)
  if (status < 400 || status > 499) return null
  const code = codes[status]
  return code ? new AppError(code) : new AppError('request.invalid', { message: 'The body is not valid JSON.' })
}

/** Where it happened, without the message: a driver's message may quote what was stored. */
function traceOf(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { error: typeof error }
  const at = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: error.name,
    at: at
      .slice(0, 8)
      .map((line) => line.trim())
      .join(' < '),
  }
}
