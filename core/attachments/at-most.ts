/** Work of which only so much goes on at the same time under one name, in one process. */
import { AppError } from '../errors.js'

export function atMost(most: number) {
  const running = new Map<string, number>()

  /** Throws AppError `limit.reached`, and what `work` throws. */
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const others = running.get(name) ?? 0
    if (others >= most) throw new AppError('limit.reached', { retryAfter: 1 })
    running.set(name, others + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(name) ?? 1) - 1
      if (left === 0) running.delete(name)
      else running.set(name, left)
    }
  }
}
