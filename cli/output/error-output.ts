/** Converts errors to an outcome, a message and a hint, and prints them. */
import { findOperatorError } from '#core/lib/operator-error'
import type { ApiError } from '#shared/client/client'
import type { RequestTamperedError } from '#shared/crypto/submission'
import type { LinkError } from '#shared/link'
import { lookUp } from '#shared/look-up'
import { CliError, EXIT, type Outcome } from '../lib/cli-error.js'
import { toDamageError } from '../lib/damaged-database.js'
import { formatDuration } from './duration.js'
import type { Io } from './io.js'
import { describeNetworkProblem } from './network-errors.js'
import { formatCount, toMessage, toSingleLine } from './sanitize.js'

export interface ErrorReport {
  outcome: Outcome
  message: string
  hint?: string | undefined
  /** Request id in the server's log. */
  ref?: string | undefined
}

const NO_VIEW_USED = 'the secret was not used up'

/**
 * Prints an error and returns the exit code. With `json` as one document: `{"error": {code, message, hint, exit,
 * ref}}`.
 */
export function printError(error: unknown, io: Io, { json, verbose }: { json?: boolean; verbose?: boolean }): number {
  const { outcome, message, hint, ref } = describeError(error)
  const exit = EXIT[outcome]
  if (json) {
    io.writeErr(`${JSON.stringify({ error: { code: outcome, message, hint, exit, ref } })}\n`)
    return exit
  }
  for (const line of message.split('\n')) io.error(line)
  if (hint) io.hint(hint)
  if (outcome === 'unexpected' && verbose && error instanceof Error) io.writeErr(`${listStackFrames(error)}\n`)
  return exit
}

/** Returns what to print about an error. Compares names instead of classes, so that no cryptography is loaded. */
export function describeError(error: unknown): ErrorReport {
  if (error instanceof CliError) {
    const ref = error.cause === undefined ? undefined : describeError(error.cause).ref
    return { outcome: error.outcome, message: error.message, hint: error.hint, ref }
  }
  const name = error instanceof Error ? error.name : ''
  if (name === 'ApiError') return describeApiError(error as ApiError)
  if (name === 'NetworkError') {
    const { reason, hint } = describeNetworkProblem((error as Error).cause)
    return { outcome: 'unavailable', message: `${(error as Error).message}${reason ? ` (${reason})` : ''}`, hint }
  }
  if (name === 'LinkError') {
    const { problem, message } = error as LinkError
    const outcome = problem === 'incomplete' ? 'wrong_password' : 'usage'
    return { outcome, message, hint: `${NO_VIEW_USED}; no request was sent` }
  }
  if (name === 'RequestTamperedError' && (error as RequestTamperedError).problem === 'forged') {
    const hint =
      'someone without the link wrote it; nothing was shown or saved, ask for it again through another channel'
    return { outcome: 'wrong_password', message: (error as Error).message, hint }
  }
  if (name === 'RequestTamperedError') {
    return {
      outcome: 'check_failed',
      message: (error as Error).message,
      hint: 'nothing was sent or shown; ask for a new request through another channel',
    }
  }
  if (name === 'InvalidResponseError') {
    const hint = 'the server or a proxy changed the response, or it is not a Mayfly server of this version'
    return { outcome: 'check_failed', message: (error as Error).message, hint }
  }
  if (name === 'DecryptError') {
    return {
      outcome: 'check_failed',
      message: `cannot decrypt the server's response: ${(error as Error).message}`,
      hint: 'the server changed the secret, or it is the wrong server; tell the sender',
    }
  }
  const damage = toDamageError(error)
  if (damage) return describeError(damage)
  const cause = findOperatorError(error)
  if (cause) {
    const outcome = cause.isSetting ? 'usage' : 'unavailable'
    return { outcome, message: toMessage(cause.message), hint: cause.hint }
  }
  if (name === 'ExitPromptError' || name === 'AbortPromptError')
    return { outcome: 'interrupted', message: 'interrupted' }
  return describeUnexpected(error)
}

function describeApiError({ code, status, body }: ApiError): ErrorReport {
  const { attemptsLeft, retryAfter, field } = body
  const retryHint = retryAfter === undefined ? undefined : `try again in ${formatDuration(retryAfter)}`
  if (code === 'secret.not_found') {
    const message = 'not found: the secret was opened, burned, has expired or cannot be opened from this address'
    return { outcome: 'gone', message, hint: 'ask the sender for a new link' }
  }
  if (code === 'secret_request.not_found') {
    const message = 'not found: the request has expired, was closed, is complete or does not accept this address'
    return { outcome: 'gone', message, hint: 'ask the requester for a new link' }
  }
  if (code === 'receipt.not_found') {
    const message = 'not found: the receipt never existed, or its secret ended too long ago'
    return { outcome: 'gone', message, hint: 'ask the administrator how long receipts are kept' }
  }
  if (code === 'file.not_found') {
    return { outcome: 'gone', message: 'file not found, or its download time is over', hint: undefined }
  }
  if (code === 'webhook.not_found') {
    return { outcome: 'gone', message: 'webhook not found', hint: '`mayfly webhook list` shows the ids of yours' }
  }
  if (code === 'webhook.delivery_not_found') {
    const hint = '`mayfly webhook deliveries` lists the log'
    return { outcome: 'gone', message: 'this delivery is not in the log any more', hint }
  }
  if (code === 'file.damaged') {
    const hint = 'ask the sender to send it again'
    return { outcome: 'check_failed', message: 'the file is damaged on the server', hint }
  }
  if (code === 'secret.locked') {
    return {
      outcome: 'limit',
      message: 'secret locked after too many wrong passwords or codes',
      hint: `${NO_VIEW_USED}; ${retryHint}`,
    }
  }
  if (code === 'secret.password_wrong' || code === 'secret.password_required') {
    const message = code === 'secret.password_wrong' ? 'wrong password' : 'this secret requires a password'
    // Public, or used up by an earlier attempt that this one repeats.
    if (attemptsLeft === undefined) return { outcome: 'wrong_password', message, hint: undefined }
    return { outcome: 'wrong_password', message, hint: `${NO_VIEW_USED}; ${formatCount(attemptsLeft, 'attempt')} left` }
  }
  if (code === 'secret.code_wrong' || code === 'secret.code_required') {
    const message = code === 'secret.code_wrong' ? 'wrong or expired code' : 'this secret requires a code'
    const left = attemptsLeft === undefined ? '' : `; ${formatCount(attemptsLeft, 'attempt')} left`
    return { outcome: 'wrong_password', message, hint: `${NO_VIEW_USED}${left}; get a code with --email ADDRESS` }
  }
  if (status < 400 || code === 'request.not_found' || code.startsWith('http.')) {
    const message = `unexpected response with status ${status}: ${toMessage(body.message)}`
    return { outcome: outcomeOfStatus(status), message, hint: retryHint ?? 'check that the address is a Mayfly server' }
  }
  const flag = field === undefined ? undefined : lookUp(FIELD_FLAGS, field)
  const message = toMessage(flag ? body.message.replace(`${field}:`, `${flag}:`) : body.message)
  const ref = body.requestId === undefined ? undefined : toSingleLine(body.requestId)
  return {
    outcome: outcomeOfStatus(status),
    message,
    hint: ref ? `request id in the server's log: ${ref}` : hintOf(code, retryHint),
    ref,
  }
}

/** Hint for a visitor after a limit or a denied request. */
function hintOf(code: string, retryHint: string | undefined): string | undefined {
  if (code === 'limit.reached' && retryHint)
    return `${retryHint}, or wait with --retry; \`mayfly login\` raises the limits`
  if (code === 'file.quota_used_up') return ['`mayfly login` raises the quota', retryHint].filter(Boolean).join('; ')
  return lookUp(SIGN_IN_HINTS, code) ?? retryHint
}

const SIGN_IN_HINTS: Record<string, string> = {
  'settings.read_only': 'administrators can still create secrets: `mayfly login`',
  'settings.users_only': 'run `mayfly login`',
  'settings.admins_only': 'sign in as an administrator: `mayfly login`',
  'file.visitors_refused': 'run `mayfly login`',
  'auth.email_unverified': 'open the link in the e-mail, or send it again on the account page',
  'auth.not_creator': 'ask an administrator for such a group, then sign in again in the browser',
  'auth.required': 'run `mayfly login`',
  'auth.invalid_token': 'unset MAYFLY_TOKEN, or create a new token with `mayfly login`',
  'auth.scope': 'administration needs a token with the scope admin',
  'auth.admin_only': 'use a token of an administrator with the scope admin',
}

/** Flags by field of `POST /secret`, `POST /request` and `POST /account/webhooks`. */
const FIELD_FLAGS: Record<string, string> = {
  ttl: '--ttl',
  maxViews: '--views',
  allowedIp: '--allow-ip',
  recipients: '--to',
  title: '--title',
  password: '--password',
  text: 'the text',
  maxSubmissions: '--submissions',
  maxBytes: '--max-bytes',
  notify: '--notify',
  receipt: '--receipt',
  url: 'the URL',
  name: '--name',
  'events.0': '--events',
}

function outcomeOfStatus(status: number): Outcome {
  if (status === 400 || status === 415) return 'usage'
  if (status === 401 || status === 403) return 'denied'
  if (status === 409) return 'conflict'
  if (status === 413 || status === 429) return 'limit'
  return 'unavailable'
}

/** Shows the code of a system error and only the name of others: their message may quote the secret. */
function describeUnexpected(error: unknown): ErrorReport {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const what = syscall ? `${syscall} failed: ${code}` : error instanceof Error ? error.name : 'no error'
  return { outcome: 'unexpected', message: `unexpected failure (${what})`, hint: 'run it with --verbose for details' }
}

function listStackFrames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
