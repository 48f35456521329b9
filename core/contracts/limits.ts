/** Counters of the rate limits. Every storage has them; a plugin can provide others in the `limits` slot. */

/** Request to consume points of a counter. */
export interface Take {
  /** Name of the counter: up to 64 characters of [a-z0-9]. Does not reveal the caller. */
  name: string
  /** Points to consume; 0 only reads the counter. */
  cost: number
  /** Maximum points in a window. */
  most: number
  /** Length of a window in ms. It starts with the first take after the previous window. */
  windowMs: number
}

export interface Taken {
  /** False: fewer than `cost` points were left, so none was consumed. */
  granted: boolean
  /** Points consumed in the window, including this take. */
  used: number
  /** End of the window in epoch ms; `now` if no window is open. */
  endsAt: number
}

/** Times are epoch ms and always passed in. */
export interface LimitStore {
  /**
   * Returns one result per take, in order; takes are independent. Exact under concurrency, also across processes: never
   * grants more than `most` in a window.
   */
  take(takes: Take[], now: number): Promise<Taken[]>
  /** Ends these windows: the next take starts a new one. */
  reset(names: string[]): Promise<void>
  /** Deletes up to `limit` windows that have ended, and returns their number. */
  sweep(now: number, limit: number): Promise<number>
}
