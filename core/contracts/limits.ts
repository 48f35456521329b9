/** Counters of the rate limits. Every storage has them; a plugin can provide others in the `limits` slot. */
import type { EpochMs } from '../shared/epoch-ms.js'

/** Request to consume points of a counter. */
export interface ConsumeRequest {
  /** Name of the counter: up to 64 characters of [a-z0-9]. Does not reveal the caller. */
  name: string
  /** Points to consume; 0 only reads the counter. */
  points: number
  /** Maximum points in a window. */
  limit: number
  /** Length of a window in ms. It starts with the first request after the previous window. */
  windowMs: number
}

export interface ConsumeResult {
  /** False: fewer points than requested were left, so none were consumed. */
  granted: boolean
  /** Points consumed in the window, including this request. */
  used: number
  /** End of the window; `now` if no window is open. */
  endsAt: EpochMs
}

/** Times are epoch ms and always passed in. */
export interface Counters {
  /**
   * Returns one result per request, in order; requests are independent. Exact under concurrency, also across processes:
   * never grants more than `limit` in a window.
   */
  consume(requests: ConsumeRequest[], now: number): Promise<ConsumeResult[]>
  /** Ends these windows: the next request starts a new one. */
  reset(names: string[]): Promise<void>
}

export interface LimitStore extends Counters {
  /** Deletes up to `limit` windows that have ended, and returns their number; 0 if they end by themselves. */
  deleteExpired(now: number, limit: number): Promise<number>
}
