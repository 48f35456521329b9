import { AppError } from './errors.js'

/**
 * Runs `work` unless too much work with the same key is running. Throws AppError `limit.reached` or an error of `work`.
 */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Limits parallel work per key, in this process. Work over the limit is refused instead of queued. */
export function createKeyedSemaphore(limit: number): KeyedSemaphore {
  const running = new Map<string, number>()

  return async (key, work) => {
    const others = running.get(key) ?? 0
    if (others >= limit) throw new AppError('limit.reached', { retryAfter: 1 })
    running.set(key, others + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
