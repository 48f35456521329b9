/** Retries transfers after transient errors, with growing delays, up to a time limit. */
import type { ApiError as ApiErrorBody } from '../api/index.js'
import { ApiError, NetworkError } from './send-request.js'

export interface RetryOptions {
  /** How long to retry without any success, in ms. */
  retryForMs?: number
  /** Delays between retries, in ms; the last one is repeated. */
  delaysMs?: number[]
  /** Aborts the current delay. */
  signal?: AbortSignal | undefined
  /** Its `online` event ends a delay early. In browsers: the window. */
  wakeOn?: EventTarget
  /** Called when a delay begins. */
  onWait?(): void
}

/** How long transfers are retried by default, in ms. */
export const RETRY_FOR_MS = 10 * 60_000
const DELAYS_MS = [500, 1000, 2000, 5000, 10_000]
/** Timeouts, and statuses of servers and proxies that restart. A full store (507) is not transient. */
const TRANSIENT = [408, 502, 503, 504]
/** A rate limit that resets later, or after a longer `retryForMs`, is reported to the user instead, in s. */
const RATE_LIMIT_MAX_S = 60

export function createRetry(options: RetryOptions) {
  const { retryForMs = RETRY_FOR_MS, delaysMs = DELAYS_MS, signal, onWait } = options
  const rateLimitMaxS = Math.max(RATE_LIMIT_MAX_S, (options.retryForMs ?? 0) / 1000)
  let since: number | null = null
  let tries = 0
  return {
    /** Resets delays and time limit after a success. */
    reset(): void {
      since = null
      tries = 0
    },
    /**
     * Waits before the next try. Throws `error` if it is not transient or the time limit is reached, and the reason of
     * the signal if aborted.
     */
    async wait(error: unknown): Promise<void> {
      signal?.throwIfAborted()
      since ??= Date.now()
      if (!isTransient(error, rateLimitMaxS) || Date.now() - since >= retryForMs) throw error
      onWait?.()
      const wait = delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0
      await sleep(Math.max(wait, retryAfterS(error, rateLimitMaxS) * 1000), options)
      tries += 1
    },
  }
}

/** Retries an idempotent operation. Throws its last error, or the reason of the signal. */
export async function withRetry<T>(operation: () => Promise<T>, options: RetryOptions): Promise<T> {
  const retry = createRetry(options)
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      await retry.wait(error)
    }
  }
}

const isTransient = (error: unknown, rateLimitMaxS: number): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (TRANSIENT.includes(error.status) || isShortRateLimit(error.body, rateLimitMaxS)))

/** Rate limits only: an exhausted daily quota has another code. */
const isShortRateLimit = ({ code, retryAfter = Number.POSITIVE_INFINITY }: ApiErrorBody, maxS: number): boolean =>
  code === 'limit.reached' && retryAfter <= maxS

const retryAfterS = (error: unknown, maxS: number): number =>
  error instanceof ApiError && isShortRateLimit(error.body, maxS) ? (error.body.retryAfter ?? 0) : 0

/** Rejects with the reason of the signal when it is aborted. */
export function sleep(ms: number, { signal, wakeOn }: Pick<RetryOptions, 'signal' | 'wakeOn'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', settle)
      wakeOn?.removeEventListener('online', settle)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(settle, ms)
    signal?.addEventListener('abort', settle)
    wakeOn?.addEventListener('online', settle)
    if (signal?.aborted) settle()
  })
}
