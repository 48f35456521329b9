/** Waits and sends a request again when the server limits the number of requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpFetch } from '#shared/client/send-request'

export interface RetryOptions {
  /** How long to wait in total, in ms. */
  maxWaitMs: number
  /** Called with the seconds before each wait. */
  onWait(seconds: number): void
  pause?: (ms: number) => Promise<unknown>
}

/**
 * Returns a fetch that repeats a request after status 429, as long as `Retry-After` fits into `maxWaitMs`. The server has not
 * processed such a request. A stream as body cannot be sent again.
 */
export function createRetryingFetch(send: HttpFetch, { maxWaitMs, onWait, pause = sleep }: RetryOptions): HttpFetch {
  let waitedMs = 0
  return async (url, request) => {
    for (;;) {
      const response = await send(url, request)
      const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
      const isRepeatable = !(request.body instanceof ReadableStream)
      const fits = Number.isFinite(seconds) && waitedMs + seconds * 1000 <= maxWaitMs
      if (response.status !== 429 || !isRepeatable || !fits) return response
      await response.body?.cancel()
      const waitS = Math.max(1, seconds)
      onWait(waitS)
      waitedMs += waitS * 1000
      await pause(waitS * 1000)
    }
  }
}
