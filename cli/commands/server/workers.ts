/** Runs an instance in several worker processes that share the port, the database and the files. */
import cluster, { type ClusterSettings, type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isExecutable } from '#core/lib/package-files'
import type { Log } from '#core/runtime'
import { EXIT } from '../../lib/cli-error.js'
import { exitBySignal, waitForSignal } from '../../lib/signals.js'
import { SHUTDOWN_MS } from './shutdown.js'

/** Pause before a worker is replaced, in ms, so that a crash loop doesn't use all CPU time. */
const REPLACE_MS = 1000
/** Grace period after a worker's own shutdown deadline, in ms. */
const KILL_AFTER_MS = 300

/** True in a process started by `superviseWorkers`. */
export const isWorker = (): boolean => cluster.isWorker

/** True in the first worker and in a single process; false in replacements. */
export const isFirstProcess = (): boolean => !cluster.isWorker || cluster.worker?.id === 1

/** In a worker: resolves when the supervisor sends SIGTERM or is gone. A second request exits at once. */
export function waitForShutdown(): Promise<string> {
  // The terminal sends Ctrl-C to all processes. Workers wait for SIGTERM from the supervisor.
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

/** In a stopped worker: closes the channel to the supervisor, which would keep the process alive. */
export function disconnectWorker(): void {
  process.removeAllListeners('disconnect')
  if (process.connected) process.disconnect()
}

/**
 * Starts the workers with the arguments `args`, replaces workers that end, and stops all of them on a signal. Calls
 * `ready` once all are listening. Resolves with the exit code, which is the first worker's if that fails to start.
 */
export async function superviseWorkers(
  { workers: count, drainSeconds }: { workers: number; drainSeconds: number },
  args: string[],
  log: Log,
  ready: () => void,
): Promise<number> {
  cluster.setupPrimary(isExecutable() ? startOfExecutable(args) : { args })
  let isStopping = false
  const signal = waitForSignal().then((name) => {
    isStopping = true
    return name
  })
  // The first worker starts alone: it migrates the database, and a start failure is reported once.
  const first = await Promise.race([startWorker(), signal])
  if (typeof first === 'number') return first
  if (!isStopping) void startOthers()
  log.info('stopping', { signal: await signal })
  await Promise.all(listWorkers().map((worker) => stopWorker(worker, drainSeconds, log)))
  return EXIT.ok

  async function startOthers(): Promise<void> {
    const others = await Promise.all(Array.from({ length: count - 1 }, startWorker))
    cluster.on('exit', replace)
    if (!isStopping && others.every((code) => code === null)) ready()
  }

  async function replace(worker: Worker, code: number, signal: string): Promise<void> {
    if (isStopping) return
    log.error('worker ended, starting a replacement', { pid: worker.process.pid, code, signal })
    await sleep(REPLACE_MS)
    if (!isStopping) cluster.fork()
  }
}

/** Node.js starts a worker with the path of a script before `args`. The executable has no script. */
const startOfExecutable = ([exec, ...args]: string[]): ClusterSettings => ({ exec, args })

const listWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])

/** Resolves with null when the worker listens, or with its exit code when it ended before. */
async function startWorker(): Promise<number | null> {
  const worker = cluster.fork()
  const listening = once(worker, 'listening').then(() => null)
  const exit = once(worker, 'exit').then(([code]) => Number(code ?? 1))
  return Promise.race([listening, exit])
}

/** Kills a worker that does not end by itself, for example because its event loop is blocked. */
async function stopWorker(worker: Worker, drainSeconds: number, log: Log): Promise<void> {
  const exit = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const late = setTimeout(
    () => {
      log.warn('worker did not stop, killing it', { pid: worker.process.pid })
      worker.process.kill('SIGKILL')
    },
    drainSeconds * 1000 + SHUTDOWN_MS + KILL_AFTER_MS,
  )
  await exit
  clearTimeout(late)
}
