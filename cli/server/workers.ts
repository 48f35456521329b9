/** One instance in several processes: they share the port, the database and the files, and nothing else. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '#core/host'
import { EXIT } from '../errors.js'
import { signalled } from '../signals.js'

/** Until a worker that ended is replaced, in ms: one that always ends must not keep the machine busy. */
const REPLACE_MS = 1000

/** True in a process that `superviseWorkers` has started. */
export const isWorker = (): boolean => cluster.isWorker

/** True in one process of those that start together, and in none that replaces another. */
export const isFirst = (): boolean => !cluster.isWorker || cluster.worker?.id === 1

/** In a worker: resolves when it is to stop, because its supervisor says so or has gone. One more time ends it at once. */
export function dismissed(): Promise<string> {
  // Ctrl-C reaches every process of the terminal; the supervisor passes on what is meant for the workers.
  process.on('SIGINT', () => {})
  return new Promise((resolve) => {
    let isFirst = true
    for (const reason of ['SIGTERM', 'disconnect']) {
      process.on(reason, () => {
        if (!isFirst) process.exit(EXIT.interrupted)
        isFirst = false
        resolve(reason)
      })
    }
  })
}

/** In a worker that has stopped: lets go of the supervisor, which would keep it alive. */
export function leave(): void {
  process.removeAllListeners('disconnect')
  if (process.connected) process.disconnect()
}

/**
 * Starts `count` workers with the arguments of this process, replaces those that end, and stops them all when it is asked
 * to. `ready` is called once, when all are listening. Answers the exit code: that of the first worker when it did not start.
 */
export async function superviseWorkers(count: number, args: string[], log: Log, ready: () => void): Promise<number> {
  cluster.setupPrimary({ args })
  let stopping = false
  const ended = signalled()
  // Alone at first: it migrates the database, and what keeps it from starting is told once.
  const failed = await start()
  if (failed !== null) return failed
  const others = await Promise.all(Array.from({ length: count - 1 }, start))
  cluster.on('exit', replace)
  if (others.every((code) => code === null)) ready()
  log.info('stopping', { signal: await ended })
  stopping = true
  await Promise.all(workers().map(stop))
  return 0

  async function replace(worker: Worker, code: number, signal: string): Promise<void> {
    if (stopping) return
    log.error('a worker ended and is replaced', { pid: worker.process.pid, code, signal })
    await setTimeout(REPLACE_MS)
    if (!stopping) cluster.fork()
  }
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])

/** Null when it listens, its exit code when it ended before. */
async function start(): Promise<number | null> {
  const worker = cluster.fork()
  const listening = once(worker, 'listening').then(() => null)
  const exit = once(worker, 'exit').then(([code]) => Number(code ?? 1))
  return Promise.race([listening, exit])
}

async function stop(worker: Worker): Promise<void> {
  const exit = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await exit
}
