import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpFetch, HttpResponse } from '#shared/client/send-request'
import { CliError } from '../../lib/cli-error.js'

/** Time between requests once the rate limit was reached: less than the 600 pages per minute that a server allows. */
const INTERVAL_MS = 110
/** A longer Retry-After is not waited for. */
const WAITS_MAX = 10
const RETRY_AFTER_MAX_S = 120

export interface PacedFetchOptions {
  /** For each request. */
  timeoutMs: number
  /** Follows no redirects. */
  send: HttpFetch
  /** Headers of each request. */
  headers?: Record<string, string>
  /** Called when the server asks to wait. */
  onWait?: ((seconds: number) => void) | undefined
  pause?: (ms: number) => Promise<unknown>
}

/**
 * Returns a function that fetches a path below `base`, with further headers, and follows no redirects. After a response
 * with status 429 it waits as long as the server says, tries again, and sends the next requests more slowly. The
 * function throws what `send` throws, and CliError `limit` when waiting does not help.
 */
export function createPacedFetch(
  base: string,
  { timeoutMs, send, headers = {}, onWait, pause = sleep }: PacedFetchOptions,
) {
  let waits = 0
  return async (path: string, more: Record<string, string> = {}): Promise<HttpResponse> => {
    for (;;) {
      if (waits > 0) await pause(INTERVAL_MS)
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await send(new URL(path, base).href, { signal, headers: { ...more, ...headers } })
      if (response.status !== 429) return response
      await response.body?.cancel()
      const seconds = Math.max(1, Number(response.headers.get('retry-after')) || 0)
      waits += 1
      if (waits > WAITS_MAX || seconds > RETRY_AFTER_MAX_S) {
        throw new CliError(
          'limit',
          'the server limits the number of requests',
          'try again later, or from another address',
        )
      }
      onWait?.(seconds)
      await pause(seconds * 1000)
    }
  }
}
