/** Falls back to counters of this process while the shared rate-limit store does not respond. */
import { LRUCache } from 'lru-cache'
import type { LimitStore, Take, Taken } from '../contracts/limits.js'
import { errorName, type Log } from '../lib/log.js'
import { withTimeout } from '../lib/with-timeout.js'
import type { Counter } from './fixed-window.js'
import { createLocalCounters } from './local-store.js'

/** Capacity of the local counters. */
const LOCAL_COUNTERS_MAX = 50_000
/** While the shared store is down each process grants a quarter of each limit, because several may run. */
const LOCAL_SHARE = 1 / 4
const STORE_TIMEOUT_MS = 5_000
/** How long a store that failed is not asked again. */
const RETRY_AFTER_MS = 5_000

/** `most`: the limit that was applied, which is lower than the requested one while the shared store is down. */
type AppliedTake = Taken & { most: number }

export interface FallbackCounters {
  take(takes: Take[], now: number): Promise<AppliedTake[]>
  /** Never rejects. */
  reset(names: string[]): Promise<void>
}

/** `localCounters`: created on the first failure unless the caller brings its own. */
export function withLocalFallback(
  store: Pick<LimitStore, 'take' | 'reset'>,
  log: Log,
  localCounters?: LRUCache<string, Counter>,
): FallbackCounters {
  let local = localCounters ? createLocalCounters(localCounters) : null
  /** Epoch ms; 0 while the shared store works. */
  let downUntil = 0

  async function takeShared(takes: Take[], now: number): Promise<Taken[] | null> {
    try {
      const taken = await withTimeout(STORE_TIMEOUT_MS, store.take(takes, now))
      if (downUntil !== 0) log.info('rate-limit store responds again')
      downUntil = 0
      return taken
    } catch (error) {
      if (downUntil === 0)
        log.error('rate-limit store failed, each process counts for itself', { error: errorName(error) })
      downUntil = now + RETRY_AFTER_MS
      return null
    }
  }

  async function takeLocal(takes: Take[], now: number): Promise<AppliedTake[]> {
    local ??= createLocalCounters(new LRUCache({ max: LOCAL_COUNTERS_MAX }))
    const reduced = takes.map((take) => ({ ...take, most: Math.max(1, Math.floor(take.most * LOCAL_SHARE)) }))
    return withLimits(await local.take(reduced, now), reduced)
  }

  return {
    async take(takes, now) {
      if (takes.length === 0) return []
      const taken = downUntil <= now ? await takeShared(takes, now) : null
      return taken ? withLimits(taken, takes) : takeLocal(takes, now)
    },

    async reset(names) {
      await local?.reset(names)
      await withTimeout(STORE_TIMEOUT_MS, store.reset(names)).catch(() => {})
    },
  }
}

const withLimits = (taken: Taken[], takes: Take[]): AppliedTake[] =>
  takes.map(({ most }, index) => ({ ...(taken[index] as Taken), most }))
