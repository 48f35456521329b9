/** Thrown by `withTimeout` by default. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/**
 * Resolves or rejects as `promise` does, or rejects with the result of `createError` (by default a TimeoutError) after
 * `ms` milliseconds. The work behind the promise is not canceled.
 */
export async function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  createError: () => Error = () => new TimeoutError(`timed out after ${ms} ms`),
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
