/** How a run of the program ends when a signal asks it to: work in progress is aborted, and unfinished files are removed. */
import { CliError, EXIT } from './cli-error.js'

/** What one run undoes at its end. */
export class Ending {
  readonly cleaners = new Set<() => void>()
  /** What a signal aborts. */
  running: AbortController | null = null
}

/** Runs `clean` however the run ends. From now on the usual signals end it in order. */
export function onEnd(ending: Ending, clean: () => void): void {
  ending.cleaners.add(clean)
  listen(ending)
}

/**
 * Work that takes back what it did when it is interrupted: the first signal aborts it, the second ends the program at once.
 * Throws what the work throws; the reason of the abort is CliError `interrupted`.
 */
export async function interruptible<T>(ending: Ending, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  listen(ending)
  ending.running = controller
  try {
    return await work(controller.signal)
  } finally {
    ending.running = null
  }
}

/** Cleans up after a run, and stops listening to signals when it was the last one. */
export function end(ending: Ending): void {
  for (const clean of ending.cleaners) clean()
  ending.cleaners.clear()
  if (!active.delete(ending) || active.size > 0) return
  process.off('exit', cleanAll)
  for (const signal of SIGNALS) process.off(signal, abortAll)
}

/** Resolves with the first signal that asks the program to stop. A second one ends it at once. */
export function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isFirst = true
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (!isFirst) endNow('SIGINT', EXIT.interrupted)
        isFirst = false
        resolve(signal)
      })
    }
  })
}

/**
 * Ends the process by this signal: `process.exit` would wait for system calls that hang, such as those on a network disk.
 * `code` counts where a process ignores its own signals: process 1 of a container.
 */
export function endNow(signal: NodeJS.Signals, code: number): never {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(code)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** For taking back what was begun, after a signal. */
const GRACE_MS = 10_000
/** The runs that have something to undo. More than one only where several run in one process. */
const active = new Set<Ending>()

function listen(ending: Ending): void {
  if (active.size === 0) {
    process.on('exit', cleanAll)
    for (const signal of SIGNALS) process.on(signal, abortAll)
  }
  active.add(ending)
}

function cleanAll(): void {
  for (const { cleaners } of active) for (const clean of cleaners) clean()
}

function abortAll(): void {
  const running = [...active].flatMap(({ running }) => (running && !running.signal.aborted ? running : []))
  if (running.length === 0) process.exit(EXIT.interrupted)
  for (const each of running) each.abort(new CliError('interrupted', 'interrupted'))
  // A pipe without a reader would keep the process alive.
  setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref()
}
