import { TimeoutError, withTimeout } from '../shared/with-timeout.js'
import { describeCause } from './error-codes.js'
import type { Log } from './log.js'

/** One thing to close when the process ends. */
export interface CloseStep {
  /** For the log. */
  name: string
  close(): Promise<void> | void
}

/**
 * Runs the steps one after the other; a failure is logged and the next step runs. With `withinMs` each step gets an
 * equal share of the time that is left. Resolves with the names of the steps that were still running when their time
 * was over.
 */
export async function runCloseSteps(steps: CloseStep[], log: Log, withinMs?: number): Promise<string[]> {
  const deadline = Date.now() + (withinMs ?? 0)
  const open: string[] = []
  for (const [index, { name, close }] of steps.entries()) {
    const share = (deadline - Date.now()) / (steps.length - index)
    try {
      const closing = Promise.resolve(close())
      await (withinMs === undefined ? closing : withTimeout(share, closing))
    } catch (error) {
      if (error instanceof TimeoutError) open.push(name)
      else log.error('closing failed', { part: name, ...describeCause(error) })
    }
  }
  return open
}
