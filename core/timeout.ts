/** Work that did not settle in time. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/** Settles as `work` does, or rejects with TimeoutError after `ms`; the work itself goes on. */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`not done after ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
