import { errorName, type Log } from './log.js'

export interface TaskQueue {
  /** Runs a task after those that are queued. A failure is logged as `{name} failed` and does not affect later tasks. */
  run(name: string, task: () => Promise<void>): void
  /** Runs a task after a delay. Calls with the same name during the delay are ignored. */
  runLater(name: string, delayMs: number, task: () => Promise<void>): void
  /** Queues the delayed tasks now. Later calls of `runLater` are ignored. */
  close(): void
  /** Resolves when all queued tasks have finished. */
  idle(): Promise<void>
}

/** Runs background tasks one at a time. */
export function createTaskQueue(log: Log): TaskQueue {
  const delayed = new Map<string, { timer: NodeJS.Timeout; task: () => Promise<void> }>()
  let running: Promise<void> = Promise.resolve()
  let isClosed = false

  function run(name: string, task: () => Promise<void>): void {
    running = running.then(task).catch((error: unknown) => log.warn(`${name} failed`, { error: errorName(error) }))
  }

  return {
    run,
    runLater(name, delayMs, task) {
      if (isClosed || delayed.has(name)) return
      const start = () => {
        delayed.delete(name)
        run(name, task)
      }
      delayed.set(name, { timer: setTimeout(start, delayMs), task })
    },
    close() {
      isClosed = true
      for (const [name, { timer, task }] of delayed) {
        clearTimeout(timer)
        run(name, task)
      }
      delayed.clear()
    },
    idle: () => running,
  }
}
