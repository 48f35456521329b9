/** Codes of errors for the log, such as ECONNREFUSED and 42501. No messages, which may contain data of a user. */
import { type AppError, isAppError } from './errors.js'
import { errorName, type LogFields } from './log.js'

/** Log fields for an error: its name, and the codes of the error and its causes. */
export function describeCause(error: unknown): LogFields {
  const codes = listCodes(error)
  return { error: errorName(error), ...(codes.length === 0 ? {} : { cause: codes.join(' < ') }) }
}

/** Up to three codes of an error and its causes, the outer one first. */
export function listCodes(error: unknown, depth = 3): string[] {
  if (!(error instanceof Error) || depth === 0) return []
  const { code } = error as NodeJS.ErrnoException | AppError
  const isCode = isAppError(error) || (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code))
  return [...(isCode ? [String(code)] : []), ...listCodes(error.cause, depth - 1)]
}
