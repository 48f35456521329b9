/** Counters of the rate limits. The `limits` slot; a storage brings one, and a plugin may keep them elsewhere. */

/** What somebody wants of a counter. */
export interface Take {
  /** Names the counter: up to 64 characters of [a-z0-9]; says nothing about whom it counts. */
  name: string
  /** How much; 0 only asks. */
  cost: number
  /** How much may be taken in a window. */
  most: number
  /** Length of a window in ms. It begins with the first take after the one before has ended. */
  windowMs: number
}

export interface Taken {
  /** False: there was less than `cost` left, so nothing was taken. */
  granted: boolean
  /** How much of the window is used, this take included. */
  used: number
  /** Epoch ms when the window ends; `now` when none is open. */
  endsAt: number
}

/** Times are epoch ms and always passed in. */
export interface LimitStore {
  /**
   * Answers in the order asked, each take for itself. Exact: however many race, in however many processes, no more than
   * `most` is granted in a window.
   */
  take(takes: Take[], now: number): Promise<Taken[]>
  /** Closes these windows: the next take begins a new one. */
  reset(names: string[]): Promise<void>
  /** Forgets up to `limit` windows that have ended; answers how many. */
  sweep(now: number, limit: number): Promise<number>
}
