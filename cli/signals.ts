/** How the program ends when it is told to: what was begun is taken back, and files that are not whole are removed. */
import { CliError, EXIT } from './errors.js'

/** Runs `clean` however the program ends; from now on the usual signals end it in order. */
export function onEnd(clean: () => void): void {
  if (cleaners.size === 0) {
    process.on('exit', () => {
      for (const each of cleaners) each()
    })
  }
  cleaners.add(clean)
  endOnSignals()
}

/**
 * Work that takes back what it did when it is interrupted: the first signal aborts it, the second ends the program at once.
 * Throws what the work throws; the reason of the abort is CliError `interrupted`.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  endOnSignals()
  running = controller
  try {
    return await work(controller.signal)
  } finally {
    running = null
  }
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

/** For taking back what was begun, after a signal. */
const GRACE_MS = 10_000
const cleaners = new Set<() => void>()
/** What a signal aborts. */
let running: AbortController | null = null
let isListening = false

function endOnSignals(): void {
  if (isListening) return
  isListening = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!running || running.signal.aborted) process.exit(EXIT.interrupted)
      running.abort(new CliError('interrupted', 'interrupted'))
      // A pipe that nobody reads would keep us for ever.
      setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref()
    })
  }
}
