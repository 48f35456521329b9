/** How a run of the program ends when a signal asks it to: work in progress is aborted, and unfinished files are removed. */
import { CliError, EXIT } from './cli-error.js'

/** What one run undoes at its end. */
export class RunCleanup {
  readonly callbacks = new Set<() => void>()
  /** What a signal aborts. */
  work: AbortController | null = null
}

/** Runs `clean` however the run ends. From now on the usual signals end it in order. */
export function onExit(ending: RunCleanup, clean: () => void): void {
  ending.callbacks.add(clean)
  listenForSignals(ending)
}

/**
 * Work that takes back what it did when it is interrupted: the first signal aborts it, the second ends the program at once.
 * Throws what the work throws; the reason of the abort is CliError `interrupted`.
 */
export async function interruptible<T>(ending: RunCleanup, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  listenForSignals(ending)
  ending.work = controller
  try {
    return await work(controller.signal)
  } finally {
    ending.work = null
  }
}

/** Cleans up after a run, and stops listening to signals when it was the last one. */
export function endRun(ending: RunCleanup): void {
  for (const clean of ending.callbacks) clean()
  ending.callbacks.clear()
  if (!activeRuns.delete(ending) || activeRuns.size > 0) return
  process.off('exit', cleanAll)
  for (const signal of SIGNALS) process.off(signal, abortAll)
}

/** Resolves with the first signal that asks the program to stop. A second one ends it at once. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isFirst = true
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (!isFirst) exitBySignal('SIGINT', EXIT.interrupted)
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
export function exitBySignal(signal: NodeJS.Signals, code: number): never {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(code)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** For taking back what was begun, after a signal. */
const GRACE_MS = 10_000
/** The runs that have something to undo. More than one only where several run in one process. */
const activeRuns = new Set<RunCleanup>()

function listenForSignals(ending: RunCleanup): void {
  if (activeRuns.size === 0) {
    process.on('exit', cleanAll)
    for (const signal of SIGNALS) process.on(signal, abortAll)
  }
  activeRuns.add(ending)
}

function cleanAll(): void {
  for (const { callbacks } of activeRuns) for (const clean of callbacks) clean()
}

function abortAll(): void {
  const running = [...activeRuns].flatMap(({ work }) => (work && !work.signal.aborted ? work : []))
  if (running.length === 0) process.exit(EXIT.interrupted)
  for (const each of running) each.abort(new CliError('interrupted', 'interrupted'))
  // A pipe without a reader would keep the process alive.
  setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref()
}
