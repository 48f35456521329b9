/**
 * Runs the methods of stores with retries and a timeout. Driver messages may contain values, so they never leave this
 * file.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isAppError, OperatorError } from '#core'
import { withTimeout } from '#shared/with-timeout'
import { errorCode, isDiskFull, isDuplicate, isLostRace, isMissingReference, isUnavailable } from './database-errors.js'

/** In ms: how long a call that loses races is retried. After that the database counts as blocked. */
const RETRY_FOR = 4_000
/** In ms. Each wait is a random part of a bound that starts here and doubles. */
const FIRST_WAIT = 10
/** In seconds, for the Retry-After header. */
const RETRY_AFTER = 3

export interface CallOptions {
  /** In ms: maximum wait of the caller; the work itself may still complete after that. Default: no limit. */
  timeoutMs?: number | undefined
  /** Explains an error to the operator; null for an unknown error. */
  explain?: ((error: unknown) => OperatorError | null) | undefined
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/**
 * Returns a store whose methods run `store`'s, and run them again when their transaction loses a race. `name` is its
 * name for error messages. The methods throw AppError `storage.conflict` for a taken key or a missing owner,
 * `storage.full`, and `storage.unavailable` when the database does not respond or does not allow the user to do this.
 * Otherwise an OperatorError with the driver's code but not its message, which is also the cause of the AppErrors.
 */
export function guardStore<Store extends object>(name: string, store: Store, options: CallOptions = {}): Store {
  const methods = Object.entries(store as unknown as Methods).map(([method, run]) => [
    method,
    (...args: never[]) => callMethod(`${name}.${method}`, () => run(...args), options),
  ])
  return Object.fromEntries(methods) as Store
}

async function callMethod<T>(
  method: string,
  work: () => Promise<T>,
  { timeoutMs, explain = () => null }: CallOptions,
): Promise<T> {
  const running = retryLostRaces(method, work, explain)
  if (timeoutMs === undefined) return running
  return withTimeout(timeoutMs, running, () => unavailable(new Error(`${method}: the database took too long`)))
}

type Explain = NonNullable<CallOptions['explain']>

async function retryLostRaces<T>(method: string, work: () => Promise<T>, explain: Explain): Promise<T> {
  const deadline = Date.now() + RETRY_FOR
  for (let maxWait = FIRST_WAIT; ; maxWait *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || Date.now() >= deadline) throw toStorageError(method, error, explain)
    }
    await sleep(randomInt(maxWait))
  }
}

function toStorageError(method: string, error: unknown, explain: Explain): Error {
  if (isAppError(error) || error instanceof OperatorError) return error
  if (isDuplicate(error) || isMissingReference(error)) return new AppError('storage.conflict')
  const code = errorCode(error)
  const cause =
    explain(error) ?? new OperatorError(`${method}: the database failed (${code || 'no code'})`, code ? { code } : {})
  if (isDiskFull(error)) return new AppError('storage.full', {}, { cause })
  return isLostRace(error) || isUnavailable(error) ? unavailable(cause) : cause
}

const unavailable = (cause: Error) => new AppError('storage.unavailable', { retryAfter: RETRY_AFTER }, { cause })
