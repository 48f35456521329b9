import { LRUCache } from 'lru-cache'
import type { Take } from '../contracts/limits.js'
import type { FallbackCounters } from './fallback-store.js'

/** Capacity. */
const WINDOWS_MAX = 50_000

export type ExhaustedWindows = ReturnType<typeof createExhaustedWindows>

/** Remembers exhausted windows, so that requests over a limit do not reach the store. */
export function createExhaustedWindows() {
  /** End of each window, epoch ms. */
  const ends = new LRUCache<string, number>({ max: WINDOWS_MAX })

  return {
    /** The exhausted window that ends last; null when none of the takes is known to fail. */
    find(takes: Take[], now: number): { most: number; endsAt: number } | null {
      const known = takes.map(({ name, most }) => ({ most, endsAt: ends.get(name) ?? 0 }))
      const [last] = known.sort((a, b) => b.endsAt - a.endsAt)
      return last && last.endsAt > now ? last : null
    },
    add(takes: Take[], taken: Awaited<ReturnType<FallbackCounters['take']>>): void {
      for (const [index, { name, most }] of takes.entries()) {
        const { used = 0, endsAt = 0, most: applied } = taken[index] ?? {}
        // A limit that is reduced while the store is down says nothing about the real one.
        if (used >= most && applied === most) ends.set(name, endsAt)
      }
    },
    delete(names: string[]): void {
      for (const name of names) ends.delete(name)
    },
  }
}
