import type { EpochMs } from '../shared/epoch-ms.js'
import type { Log } from './log.js'
import { createOutageLog, type OutageLog } from './outage-log.js'

export interface TaskQueue {
  /**
   * Runs a task after the queued tasks. A failure does not affect later tasks. It is logged as `{name} failed`, once
   * until a task of that name succeeds.
   */
  run(name: string, task: () => Promise<void>): void
  /** Runs a task after a delay. Calls with the same name during the delay are ignored. */
  runLater(name: string, delayMs: number, task: () => Promise<void>): void
  /** Queues the delayed tasks now. Later calls of `runLater` are ignored. */
  close(): void
  /** Resolves when all queued tasks have finished. */
  idle(): Promise<void>
}

/** Runs background tasks one at a time. */
export function createTaskQueue(log: Log, now: () => EpochMs): TaskQueue {
  const delayed = new Map<string, { timer: NodeJS.Timeout; task: () => Promise<void> }>()
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  const outages = new Map<string, OutageLog>()

  function outageOf(name: string): OutageLog {
    const messages = { failed: `${name} failed`, recovered: `${name} works again` }
    const outage = outages.get(name) ?? createOutageLog({ log, level: 'warn', now, ...messages })
    outages.set(name, outage)
    return outage
  }

  function run(name: string, task: () => Promise<void>): void {
    const outage = outageOf(name)
    running = running.then(task).then(outage.succeed, outage.fail)
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
