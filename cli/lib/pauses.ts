import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs } from '#shared/epoch-ms'

/** First and longest pause, in ms. A few requests a minute stay far below the rate limits. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 10_000

/** Returns a function that pauses between two requests, longer each time, but not beyond `until`. */
export function createPauses(until: EpochMs): () => Promise<void> {
  let pause = FIRST_PAUSE_MS
  return async () => {
    await sleep(Math.min(pause, Math.max(until - Date.now(), 0)))
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }
}
