/** Falls back to counters of this process while the shared rate-limit store does not respond. */

import type { ConsumeRequest, ConsumeResult, Counters } from '../contracts/limits.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { withTimeout } from '../shared/with-timeout.js'
import { createLocalCounters } from './local-store.js'
import { type CountedRequest, withReservedPoints } from './reserved-points.js'

/** While the shared store is down each process grants a quarter of each limit, because several may run. */
const LOCAL_SHARE = 1 / 4
const STORE_TIMEOUT_MS = 5_000
/** How long a store is not used after a failure. */
const RETRY_AFTER_MS = 5_000

/** `limit`: the applied limit, which is lower than the requested limit while the shared store is down. */
type AppliedResult = ConsumeResult & { limit: number }

export interface FallbackCounters {
  consume(requests: CountedRequest[]): Promise<AppliedResult[]>
  /** Never rejects. */
  reset(names: string[]): Promise<void>
}

export function withLocalFallback(store: Counters, log: Log, now: () => EpochMs): FallbackCounters {
  // Reserved points are granted at once, without a timer.
  const shared = withReservedPoints({
    consume: (requests, now) => withTimeout(STORE_TIMEOUT_MS, store.consume(requests, now)),
    reset: (names) => withTimeout(STORE_TIMEOUT_MS, store.reset(names)),
  })
  const local = createLocalCounters()
  /** 0 while the shared store works. */
  let downUntil: EpochMs = 0

  async function consumeShared(requests: CountedRequest[]): Promise<ConsumeResult[] | null> {
    try {
      const results = await shared.consume(requests, now())
      if (downUntil !== 0) log.info('rate-limit store responds again')
      downUntil = 0
      return results
    } catch (error) {
      if (downUntil === 0)
        log.error('rate-limit store failed, each process counts for itself', { ...describeCause(error) })
      // Counted from the failure: a request that consumes twice waits for one timeout.
      downUntil = now() + RETRY_AFTER_MS
      return null
    }
  }

  async function consumeLocal(requests: ConsumeRequest[]): Promise<AppliedResult[]> {
    const reduced = requests.map((request) => ({
      ...request,
      limit: Math.max(1, Math.floor(request.limit * LOCAL_SHARE)),
    }))
    return withLimits(await local.consume(reduced, now()), reduced)
  }

  return {
    async consume(requests) {
      if (requests.length === 0) return []
      const results = downUntil <= now() ? await consumeShared(requests) : null
      return results ? withLimits(results, requests) : consumeLocal(requests)
    },

    async reset(names) {
      await local.reset(names)
      await shared.reset(names).catch(() => {})
    },
  }
}

const withLimits = (results: ConsumeResult[], requests: ConsumeRequest[]): AppliedResult[] =>
  requests.map(({ limit }, index) => ({ ...(results[index] as ConsumeResult), limit }))
