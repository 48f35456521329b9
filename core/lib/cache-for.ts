import type { EpochMs } from '../shared/epoch-ms.js'

export interface Cache<T> {
  /** The cached value, or a new one. Rejects as `load` does. */
  get(): Promise<T>
  /** The next `get` loads again. */
  clear(): void
}

interface Options<T> {
  /** Called with the current time. */
  load(now: EpochMs): Promise<T>
  now(): EpochMs
}

/**
 * Caches the result of `load` for `ms` milliseconds. Concurrent callers share one load. A failed load is not cached,
 * and neither is a value from the future, which a clock that was set back leaves behind.
 */
export function cacheFor<T>(ms: number, { load, now }: Options<T>): Cache<T> {
  let cached: { at: number; value: Promise<T> } | null = null

  return {
    get() {
      const at = now()
      if (cached && at >= cached.at && at - cached.at < ms) return cached.value
      const entry = { at, value: load(at) }
      cached = entry
      entry.value.catch(() => {
        if (cached === entry) cached = null
      })
      return entry.value
    },
    clear() {
      cached = null
    },
  }
}
