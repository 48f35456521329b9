import { type AppError, isAppError } from './errors.js'
import { errorName, type Log, type LogFields } from './log.js'

export interface OutageLog {
  /** Logs the first failure of an outage with its cause, and counts the others. */
  fail(error: unknown, fields?: LogFields): void
  /** Call after each success. Ends an outage and logs the number of failures and the duration. */
  succeed(): void
  isFailing(): boolean
}

interface Options {
  log: Log
  level: 'warn' | 'error'
  /** Message of the first failure. */
  failed: string
  /** Message of the first success after an outage. */
  recovered: string
  /** Epoch ms. */
  now: () => number
}

/** Logs each outage of a repeated background task twice: at its start and at its end. */
export function createOutageLog({ log, level, failed, recovered, now }: Options): OutageLog {
  let outage: { since: number; failures: number } | null = null
  return {
    fail(error, fields = {}) {
      if (!outage) log[level](failed, { ...describeCause(error), ...fields })
      outage ??= { since: now(), failures: 0 }
      outage.failures++
    },
    succeed() {
      if (outage) log.info(recovered, { failures: outage.failures, seconds: Math.round((now() - outage.since) / 1000) })
      outage = null
    },
    isFailing: () => outage !== null,
  }
}

/** Codes of an error and of what caused it, such as ECONNREFUSED. No messages, which may contain data of a user. */
export function describeCause(error: unknown): LogFields {
  const codes = listCodes(error)
  return { error: errorName(error), ...(codes.length === 0 ? {} : { cause: codes.join(' < ') }) }
}

/** Up to three codes, the outer one first. */
function listCodes(error: unknown, depth = 3): string[] {
  if (!(error instanceof Error) || depth === 0) return []
  const { code } = error as NodeJS.ErrnoException | AppError
  const isCode = isAppError(error) || (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code))
  return [...(isCode ? [String(code)] : []), ...listCodes(error.cause, depth - 1)]
}
