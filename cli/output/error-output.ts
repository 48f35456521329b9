/** From any failure to what is printed about it: outcome, message, hint. */
import type { ApiError } from '#shared/client/client'
import type { LinkError } from '#shared/link'
import { CliError, EXIT, type Outcome } from '../lib/cli-error.js'
import { formatDuration } from './duration.js'
import type { Io } from './io.js'
import { formatCount, toMessage, toSingleLine } from './sanitize.js'

export interface ErrorReport {
  outcome: Outcome
  message: string
  hint?: string | undefined
  /** Under which the server's log has it. */
  ref?: string | undefined
}

const NO_VIEW_USED = 'the secret was not used up'

/** Prints a failure and answers the exit code. With `json` one document, `{"error": {code, message, hint, exit, ref}}`. */
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

/** What a failure means and what to say about it. Told apart by name, so that this file loads no cryptography. */
export function describeError(error: unknown): ErrorReport {
  if (error instanceof CliError) return { outcome: error.outcome, message: error.message, hint: error.hint }
  const name = error instanceof Error ? error.name : ''
  if (name === 'ApiError') return describeApiError(error as ApiError)
  if (name === 'NetworkError') {
    const reason = findNetworkReason((error as Error).cause)
    const message = `${(error as Error).message}${reason ? ` (${reason})` : ''}`
    return { outcome: 'unavailable', message, hint: 'check the address, and try again' }
  }
  if (name === 'LinkError') {
    const { problem, message } = error as LinkError
    const outcome = problem === 'incomplete' ? 'wrong_password' : 'usage'
    return { outcome, message, hint: `${NO_VIEW_USED}, and no request was made` }
  }
  if (name === 'SealError') {
    return {
      outcome: 'check_failed',
      message: `what the server sent cannot be opened: ${(error as Error).message}`,
      hint: 'the server is not the one that the secret was given to, or it changed the secret: tell its sender',
    }
  }
  if (name === 'ExitPromptError' || name === 'AbortPromptError')
    return { outcome: 'interrupted', message: 'interrupted' }
  return describeUnexpected(error)
}

function describeApiError({ code, status, body }: ApiError): ErrorReport {
  const { attemptsLeft, retryAfter, field } = body
  const again = retryAfter === undefined ? undefined : `try again in ${formatDuration(retryAfter)}`
  if (code === 'secret.not_found') {
    const message = 'not available: it was opened, burned or has expired, or it may not be opened from here'
    return { outcome: 'gone', message, hint: 'ask its sender for a new link' }
  }
  if (code === 'file.not_found') {
    return { outcome: 'gone', message: 'this file is gone, or the time to fetch it is over', hint: undefined }
  }
  if (code === 'secret.locked') {
    return { outcome: 'limit', message: 'locked after too many wrong passwords', hint: `${NO_VIEW_USED}; ${again}` }
  }
  if (code === 'secret.password_wrong' || code === 'secret.password_required') {
    const left = attemptsLeft === undefined ? '' : `; ${formatCount(attemptsLeft, 'attempt')} left`
    const message = code === 'secret.password_wrong' ? 'wrong password' : 'this secret needs a password'
    return { outcome: 'wrong_password', message, hint: `${NO_VIEW_USED}${left}` }
  }
  if (status < 400 || code === 'request.not_found' || code.startsWith('http.')) {
    const message = `the server answered with status ${status}: ${toMessage(body.message)}`
    return { outcome: outcomeOfStatus(status), message, hint: again ?? 'is this the address of a Mayfly server?' }
  }
  const flag = field === undefined ? undefined : FIELD_FLAGS[field]
  const message = toMessage(flag ? body.message.replace(`${field}:`, `${flag}:`) : body.message)
  const ref = body.requestId === undefined ? undefined : toSingleLine(body.requestId)
  return { outcome: outcomeOfStatus(status), message, hint: ref ? `the server's log has it under ${ref}` : again, ref }
}

/** The flags behind the fields of `POST /secret`. */
const FIELD_FLAGS: Record<string, string> = {
  ttl: '--ttl',
  maxViews: '--views',
  allowedIp: '--allow-ip',
  title: '--title',
  password: '--password',
  text: 'the text',
}

function outcomeOfStatus(status: number): Outcome {
  if (status === 400 || status === 415) return 'usage'
  if (status === 401 || status === 403) return 'denied'
  if (status === 409) return 'conflict'
  if (status === 413 || status === 429) return 'limit'
  return 'unavailable'
}

/** What fetch knows: a code such as ECONNREFUSED, or that it took too long. */
function findNetworkReason(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if (cause.name === 'TimeoutError') return 'no answer in time'
  return (cause as NodeJS.ErrnoException).code ?? findNetworkReason(cause.cause)
}

/** A system's error says what failed; any other may quote what it was working on, so its words stay inside. */
function describeUnexpected(error: unknown): ErrorReport {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const what = syscall ? `${syscall} failed: ${code}` : error instanceof Error ? error.name : 'no error was given'
  return { outcome: 'unexpected', message: `unexpected failure (${what})`, hint: '--verbose tells where it happened' }
}

function listStackFrames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
