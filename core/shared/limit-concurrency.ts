export interface ConcurrencyLimit {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Number of tasks that have not started. */
  waiting(): number
}

/** Runs up to `max` tasks at a time, in the order of the calls. */
export function limitConcurrency(max: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(task) {
      if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
    waiting: () => waiting.length,
  }
}
