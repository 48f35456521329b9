/** Fixed-window arithmetic, shared by all rate-limit stores. */
import type { ConsumeRequest, ConsumeResult } from '../contracts/limits.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** State of one window. */
export interface Counter {
  used: number
  endsAt: EpochMs
}

/**
 * Applies a request to a counter. `result` is the response of the store; `after` the new state of the counter, or null
 * when it did not change. `counter` is undefined when no window was stored.
 */
export function consumeFrom(
  counter: Counter | undefined,
  { points, limit, windowMs }: ConsumeRequest,
  now: number,
): { result: ConsumeResult; after: Counter | null } {
  const open = counter && counter.endsAt > now ? counter : { used: 0, endsAt: now }
  const used = open.used + points
  const granted = used <= limit
  if (!granted || points === 0) return { result: { granted, ...open }, after: null }
  const after = { used, endsAt: open.endsAt > now ? open.endsAt : now + windowMs }
  return { result: { granted, ...after }, after }
}
