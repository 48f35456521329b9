/** One instance in several processes: they share the port, the database and the files, and nothing else. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#core/runtime'
import { EXIT } from '../../lib/cli-error.js'
import { exitBySignal, waitForSignal } from '../../lib/signals.js'
import { SHUTDOWN_MS } from './shutdown.js'

/** Until a worker that ended is replaced, in ms: one that always ends must not keep the machine busy. */
const REPLACE_MS = 1000
/** How much longer than its own deadline a worker may take to end, in ms. */
const KILL_AFTER_MS = 300

/** True in a process that `superviseWorkers` has started. */
export const isWorker = (): boolean => cluster.isWorker

/** True in one process of those that start together, and in none that replaces another. */
export const isFirstProcess = (): boolean => !cluster.isWorker || cluster.worker?.id === 1

/** In a worker: resolves when the supervisor asks it to stop or is gone. A second request ends it at once. */
export function waitForShutdown(): Promise<string> {
  // Ctrl-C reaches every process of the terminal; the supervisor passes on what is meant for the workers.
  process.on('SIGINT', () => {})
  return new Promise((resolve) => {
    let isFirst = true
    for (const reason of ['SIGTERM', 'disconnect']) {
      process.on(reason, () => {
        if (!isFirst) exitBySignal('SIGINT', EXIT.interrupted)
        isFirst = false
        resolve(reason)
      })
    }
  })
}

/** In a worker that has stopped: lets go of the supervisor, which would keep it alive. */
export function disconnectWorker(): void {
  process.removeAllListeners('disconnect')
  if (process.connected) process.disconnect()
}

/**
 * Starts `count` workers with the arguments of this process, replaces those that end, and stops all of them on a signal.
 * `ready` is called once, when all are listening. Resolves with the exit code: that of the first worker when it did not start.
 */
export async function superviseWorkers(count: number, args: string[], log: Log, ready: () => void): Promise<number> {
  cluster.setupPrimary({ args })
  let isStopping = false
  const signal = waitForSignal().then((name) => {
    isStopping = true
    return name
  })
  // Alone at first: it migrates the database, and a cause that keeps it from starting is reported once.
  const first = await Promise.race([startWorker(), signal])
  if (typeof first === 'number') return first
  if (!isStopping) void startOthers()
  log.info('stopping', { signal: await signal })
  await Promise.all(listWorkers().map((worker) => stopWorker(worker, log)))
  return EXIT.ok

  async function startOthers(): Promise<void> {
    const others = await Promise.all(Array.from({ length: count - 1 }, startWorker))
    cluster.on('exit', replace)
    if (!isStopping && others.every((code) => code === null)) ready()
  }

  async function replace(worker: Worker, code: number, signal: string): Promise<void> {
    if (isStopping) return
    log.error('a worker ended and is replaced', { pid: worker.process.pid, code, signal })
    await sleep(REPLACE_MS)
    if (!isStopping) cluster.fork()
  }
}

const listWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])

/** Null when it listens, its exit code when it ended before. */
async function startWorker(): Promise<number | null> {
  const worker = cluster.fork()
  const listening = once(worker, 'listening').then(() => null)
  const exit = once(worker, 'exit').then(([code]) => Number(code ?? 1))
  return Promise.race([listening, exit])
}

/** Kills a worker that does not end by itself, for example because its event loop is blocked. */
async function stopWorker(worker: Worker, log: Log): Promise<void> {
  const exit = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const late = setTimeout(() => {
    log.warn('worker did not stop and is killed', { pid: worker.process.pid })
    worker.process.kill('SIGKILL')
  }, SHUTDOWN_MS + KILL_AFTER_MS)
  await exit
  clearTimeout(late)
}
