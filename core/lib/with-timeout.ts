/** Thrown by `withTimeout`. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/**
 * Resolves or rejects as `promise` does, or rejects with TimeoutError after `ms` milliseconds. The work behind the promise
 * is not canceled.
 */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`timed out after ${ms} ms`)), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
