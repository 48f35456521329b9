import { LRUCache } from 'lru-cache'
import type { ConsumeRequest } from '../contracts/limits.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { FallbackCounters } from './fallback-store.js'

/** Capacity. */
const WINDOWS_MAX = 50_000

/** Remembers exhausted windows, so that requests over a limit do not reach the store. */
export function createExhaustedWindows() {
  /** End of each window. Null until there is one, because the cache allocates memory for its capacity. */
  let ends: LRUCache<string, EpochMs> | null = null

  return {
    /** The exhausted window that ends last; null when none of the requests is known to be refused. */
    find(requests: ConsumeRequest[], now: number): { limit: number; endsAt: number } | null {
      let last: { limit: number; endsAt: number } | null = null
      for (const { name, limit } of requests) {
        const endsAt = ends?.get(name) ?? 0
        if (endsAt > (last?.endsAt ?? now)) last = { limit, endsAt }
      }
      return last
    },
    add(requests: ConsumeRequest[], results: Awaited<ReturnType<FallbackCounters['consume']>>): void {
      for (const [index, { name, limit }] of requests.entries()) {
        const { used = 0, endsAt = 0, limit: applied } = results[index] ?? {}
        // A limit that is reduced while the store is down does not show that the real limit is exhausted.
        if (used < limit || applied !== limit) continue
        ends ??= new LRUCache({ max: WINDOWS_MAX })
        ends.set(name, endsAt)
      }
    },
    delete(names: string[]): void {
      for (const name of names) ends?.delete(name)
    },
  }
}
