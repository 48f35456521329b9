/** Runs a store method with retries and a timeout. Driver messages may contain values, so they never leave this file. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isAppError } from '#core'
import { errorCode, isDiskFull, isDuplicate, isLostRace, isMissingReference, isUnavailable } from './database-errors.js'

/** In ms: how long a call that loses races is retried. After that the database counts as blocked. */
const RETRY_FOR = 4_000
/** In ms. Each wait is a random part of a bound that starts here and doubles. */
const FIRST_WAIT = 10
/** In seconds, for the Retry-After header. */
const RETRY_AFTER = 3

/**
 * Runs `work`, and again when its transaction loses a race. `method` is its name for error messages. `timeoutMs`: how long
 * the caller waits at most; the work itself may still complete after that.
 * Throws AppError `storage.conflict` for a taken key or a missing owner, `storage.full`, `storage.unavailable` when the
 * database does not answer, and otherwise an Error with the driver's code but not its message.
 */
export async function callStore<T>(method: string, work: () => Promise<T>, timeoutMs?: number): Promise<T> {
  const running = retryLostRaces(method, work)
  if (timeoutMs === undefined) return running
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`${method}: the database took too long`))), timeoutMs)
  })
  return Promise.race([running, timeout]).finally(() => clearTimeout(timer))
}

async function retryLostRaces<T>(method: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + RETRY_FOR
  for (let maxWait = FIRST_WAIT; ; maxWait *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || Date.now() >= deadline) throw toStorageError(method, error)
    }
    await sleep(randomInt(maxWait))
  }
}

function toStorageError(method: string, error: unknown): Error {
  if (isAppError(error)) return error
  if (isDuplicate(error) || isMissingReference(error)) return new AppError('storage.conflict')
  const cause = new Error(`${method}: the database failed (${errorCode(error) || 'no code'})`)
  if (isDiskFull(error)) return new AppError('storage.full', {}, { cause })
  return isLostRace(error) || isUnavailable(error) ? unavailable(cause) : cause
}

const unavailable = (cause: Error) => new AppError('storage.unavailable', { retryAfter: RETRY_AFTER }, { cause })
