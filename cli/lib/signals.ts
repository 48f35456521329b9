/** Signal handling: aborts work in progress and removes unfinished files. */
import { CliError, EXIT } from './cli-error.js'

/** Cleanup of one run. */
export class RunCleanup {
  readonly callbacks = new Set<() => void>()
  /** The work that a signal aborts. */
  work: AbortController | null = null
  /** True while the run handles signals itself. */
  handlesSignals = false
}

/** Runs `clean` at the end of the run: on success, failure, exit or a signal. */
export function onExit(ending: RunCleanup, clean: () => void): void {
  ending.callbacks.add(clean)
  listenForSignals(ending)
}

/**
 * Runs work that undoes its changes when it is aborted. The first signal aborts it, the second exits at once.
 * Throws what the work throws. The abort reason is CliError `interrupted`.
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

/**
 * Runs work that handles signals itself, such as a child process that gets them. They neither abort nor end the run.
 */
export async function handleSignals<T>(ending: RunCleanup, work: () => Promise<T>): Promise<T> {
  ending.handlesSignals = true
  try {
    return await work()
  } finally {
    ending.handlesSignals = false
  }
}

/** Runs the cleanup callbacks. Removes the signal handlers after the last run. */
export function endRun(ending: RunCleanup): void {
  for (const clean of ending.callbacks) clean()
  ending.callbacks.clear()
  if (!activeRuns.delete(ending) || activeRuns.size > 0) return
  process.off('exit', cleanAll)
  for (const signal of SIGNALS) process.off(signal, abortAll)
}

/** Resolves with the first SIGINT or SIGTERM. The second one exits at once. */
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
 * Ends the process with a signal: `process.exit` would wait for hanging system calls, such as those on a network disk.
 * `code` is used where signals to itself are ignored: as process 1 of a container.
 */
export function exitBySignal(signal: NodeJS.Signals, code: number): never {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(code)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Time to undo work after a signal. */
const GRACE_MS = 10_000
/** Runs with something to clean up. Only tests have more than one in a process. */
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
  if ([...activeRuns].some(({ handlesSignals }) => handlesSignals)) return
  const running = [...activeRuns].flatMap(({ work }) => (work && !work.signal.aborted ? work : []))
  if (running.length === 0) process.exit(EXIT.interrupted)
  for (const each of running) each.abort(new CliError('interrupted', 'interrupted'))
  // A blocked pipe would keep the process alive.
  setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref()
}
