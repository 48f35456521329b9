export interface Flusher {
  /** Writes now, or as soon as the running write has finished. */
  flush(): Promise<void>
  /** Stops the timer and writes once more. */
  stop(): Promise<void>
}

/**
 * Calls `write` every `everyMs` milliseconds and on request, never twice at the same time. `write` must not reject: it
 * keeps unwritten data for the next call. The timer does not keep the process alive.
 */
export function createFlusher(everyMs: number, write: () => Promise<void>): Flusher {
  let running: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    running = running.then(write)
    return running
  }

  const timer = setInterval(flush, everyMs)
  timer.unref()
  return {
    flush,
    stop() {
      clearInterval(timer)
      return flush()
    },
  }
}
