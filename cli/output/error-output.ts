/** From any failure to what is printed about it: outcome, message, hint. */
import type { ApiError } from '#shared/client/client'
import type { LinkError } from '#shared/link'
import { CliError, EXIT, type Outcome } from '../lib/cli-error.js'
import { formatDuration } from './duration.js'
import type { Io } from './io.js'
import { asMessage, counted, oneLine } from './sanitize.js'

export interface Report {
  outcome: Outcome
  message: string
  hint?: string | undefined
  /** Under which the server's log has it. */
  ref?: string | undefined
}

const NOTHING_USED_UP = 'the secret was not used up'

/** Prints a failure and answers the exit code. With `json` one document, `{"error": {code, message, hint, exit, ref}}`. */
export function report(error: unknown, io: Io, { json, verbose }: { json?: boolean; verbose?: boolean }): number {
  const { outcome, message, hint, ref } = describe(error)
  const exit = EXIT[outcome]
  if (json) {
    io.tell(`${JSON.stringify({ error: { code: outcome, message, hint, exit, ref } })}\n`)
    return exit
  }
  for (const line of message.split('\n')) io.error(line)
  if (hint) io.hint(hint)
  if (outcome === 'unexpected' && verbose && error instanceof Error) io.tell(`${frames(error)}\n`)
  return exit
}

/** What a failure means and what to say about it. Told apart by name, so that this file loads no cryptography. */
export function describe(error: unknown): Report {
  if (error instanceof CliError) return { outcome: error.outcome, message: error.message, hint: error.hint }
  const name = error instanceof Error ? error.name : ''
  if (name === 'ApiError') return describeAnswer(error as ApiError)
  if (name === 'NetworkError') {
    const reason = reasonOf((error as Error).cause)
    const message = `${(error as Error).message}${reason ? ` (${reason})` : ''}`
    return { outcome: 'unavailable', message, hint: 'check the address, and try again' }
  }
  if (name === 'LinkError') {
    const { problem, message } = error as LinkError
    const outcome = problem === 'incomplete' ? 'wrong_password' : 'usage'
    return { outcome, message, hint: `${NOTHING_USED_UP}, and no request was made` }
  }
  if (name === 'DecryptError') {
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

function describeAnswer({ code, status, body }: ApiError): Report {
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
    return { outcome: 'limit', message: 'locked after too many wrong passwords', hint: `${NOTHING_USED_UP}; ${again}` }
  }
  if (code === 'secret.password_wrong' || code === 'secret.password_required') {
    const left = attemptsLeft === undefined ? '' : `; ${counted(attemptsLeft, 'attempt')} left`
    const message = code === 'secret.password_wrong' ? 'wrong password' : 'this secret needs a password'
    return { outcome: 'wrong_password', message, hint: `${NOTHING_USED_UP}${left}` }
  }
  if (status < 400 || code === 'request.not_found' || code.startsWith('http.')) {
    const message = `the server answered with status ${status}: ${asMessage(body.message)}`
    return { outcome: outcomeOf(status), message, hint: again ?? 'is this the address of a Mayfly server?' }
  }
  const flag = field === undefined ? undefined : FLAGS[field]
  const message = asMessage(flag ? body.message.replace(`${field}:`, `${flag}:`) : body.message)
  const ref = body.requestId === undefined ? undefined : oneLine(body.requestId)
  return { outcome: outcomeOf(status), message, hint: ref ? `the server's log has it under ${ref}` : again, ref }
}

/** The flags behind the fields of `POST /secret`. */
const FLAGS: Record<string, string> = {
  ttl: '--ttl',
  maxViews: '--views',
  allowedIp: '--allow-ip',
  title: '--title',
  password: '--password',
  text: 'the text',
}

function outcomeOf(status: number): Outcome {
  if (status === 400 || status === 415) return 'usage'
  if (status === 401 || status === 403) return 'denied'
  if (status === 409) return 'conflict'
  if (status === 413 || status === 429) return 'limit'
  return 'unavailable'
}

/** What fetch knows: a code such as ECONNREFUSED, or that it took too long. */
function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if (cause.name === 'TimeoutError') return 'no answer in time'
  return (cause as NodeJS.ErrnoException).code ?? reasonOf(cause.cause)
}

/** A system's error says what failed; any other may quote what it was working on, so its words stay inside. */
function describeUnexpected(error: unknown): Report {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const what = syscall ? `${syscall} failed: ${code}` : error instanceof Error ? error.name : 'no error was given'
  return { outcome: 'unexpected', message: `unexpected failure (${what})`, hint: '--verbose tells where it happened' }
}

function frames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
