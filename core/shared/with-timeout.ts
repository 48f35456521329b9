/** Thrown by `withTimeout` by default. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/**
 * Resolves or rejects as `promise` does, or rejects with the result of `createError` (by default a TimeoutError) after
 * `ms` milliseconds. The work behind the promise is not canceled.
 */
export function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  createError: () => Error = () => new TimeoutError(`timed out after ${ms} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
