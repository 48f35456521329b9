/** Going on when a connection breaks: what passes by itself is waited out, with growing waits, for as long as it is allowed. */
import type { ApiError as ApiErrorBody } from './api.js'
import { ApiError, NetworkError } from './request.js'

export interface PatienceOptions {
  /** How long nothing may get through until it is given up, in ms. */
  patienceMs?: number
  /** Waits between tries, in ms; the last one is repeated. */
  waitsMs?: number[]
  /** Ends every wait at once. */
  signal?: AbortSignal | undefined
  /** Where `online` is heard, which ends a wait early: the window of a page. */
  wakeOn?: EventTarget
  /** Called when a wait begins. */
  onWait?(): void
}

export type Patience = ReturnType<typeof createPatience>

const TEN_MINUTES = 10 * 60_000
const WAITS_MS = [500, 1000, 2000, 5000, 10_000]
/** A slow connection, and what servers and proxies answer while they restart. A full store (507) does not pass by itself. */
const PASSING = [408, 502, 503, 504]
/** A limit on calls that opens later than that is for people to know, in s. */
const LIMIT_OPENS_S = 60

export function createPatience(options: PatienceOptions) {
  const { patienceMs = TEN_MINUTES, waitsMs = WAITS_MS, signal, onWait } = options
  let since: number | null = null
  let tries = 0
  return {
    /** Something got through. */
    renew(): void {
      since = null
      tries = 0
    },
    /** Waits until the next try. Throws `error` when it will not pass or has lasted too long, and the signal's reason when it is aborted. */
    async wait(error: unknown): Promise<void> {
      signal?.throwIfAborted()
      since ??= Date.now()
      if (!isPassing(error) || Date.now() - since >= patienceMs) throw error
      onWait?.()
      const wait = waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 0
      await sleep(Math.max(wait, opensInS(error) * 1000), options)
      tries += 1
    },
  }
}

/** Repeats a call that may arrive twice without harm. Throws what it threw last, or the signal's reason. */
export async function patiently<T>(call: () => Promise<T>, options: PatienceOptions): Promise<T> {
  const patience = createPatience(options)
  for (;;) {
    try {
      return await call()
    } catch (error) {
      await patience.wait(error)
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (PASSING.includes(error.status) || isShortLimit(error.body)))

/** Only a limit on calls: what is used up for a day is another code. */
const isShortLimit = ({ code, retryAfter = Number.POSITIVE_INFINITY }: ApiErrorBody): boolean =>
  code === 'limit.reached' && retryAfter <= LIMIT_OPENS_S

const opensInS = (error: unknown): number =>
  error instanceof ApiError && isShortLimit(error.body) ? (error.body.retryAfter ?? 0) : 0

function sleep(ms: number, { signal, wakeOn }: PatienceOptions): Promise<void> {
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
