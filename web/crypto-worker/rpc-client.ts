/** The page's side of the RPC with a web worker. */
import type { ApiError as ApiErrorBody } from '#shared/api'
import { ApiError, NetworkError } from '#shared/client/client'
import { toLoadError } from '../lib/lazy-part.js'
import type { Jobs, Request, Response, SerializedError } from './rpc-server.js'
import { SCRIPTS, toTrustedUrl } from './worker-scripts.js'

/** A job failed. `name`: of the error in the worker. `problem`: of a DecryptError. */
export class JobError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly problem?: string,
  ) {
    super(message)
  }
}

export type WorkerClient<AvailableJobs extends Jobs> = ReturnType<typeof createWorkerClient<AvailableJobs>>

type PendingJob = { resolve(result: unknown): void; reject(error: Error): void }

/** Starts the worker with its first job. `onProgress`: called with the reports of a running job. */
export function createWorkerClient<AvailableJobs extends Jobs>(
  script: keyof typeof SCRIPTS,
  onProgress?: (done: number) => void,
) {
  const pending = new Map<number, PendingJob>()
  let running: Worker | null = null
  let lastId = 0

  function stop(why: Error): void {
    running?.terminate()
    running = null
    for (const { reject } of pending.values()) reject(why)
    pending.clear()
  }

  function start(): Worker {
    const worker = new Worker(toTrustedUrl(SCRIPTS[script]), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
      if (!('id' in data)) return onProgress?.(data.done)
      const job = pending.get(data.id)
      pending.delete(data.id)
      if (data.error) job?.reject(toError(data.error))
      else job?.resolve(data.result)
    })
    // The next job starts a new worker. An event without a message means that the script could not be fetched.
    worker.addEventListener('error', async ({ message }: Partial<ErrorEvent>) => {
      const error = message === undefined ? await toLoadError(null, SCRIPTS[script]) : workerStopped()
      if (running === worker) stop(error)
    })
    return worker
  }

  function warmUp(): void {
    running ??= start()
  }

  return {
    /** Starts the worker before its first job. */
    warmUp,
    /** Rejects with ApiError or NetworkError when the job threw one, else with JobError. */
    run<Job extends keyof AvailableJobs & string>(job: Job, args: Parameters<AvailableJobs[Job]>) {
      warmUp()
      const request: Request = { id: ++lastId, job, args }
      const result = new Promise<unknown>((resolve, reject) => pending.set(request.id, { resolve, reject }))
      running?.postMessage(request)
      return result as Promise<Awaited<ReturnType<AvailableJobs[Job]>>>
    },
    /** Terminates the worker and rejects its pending jobs. */
    end: () => stop(workerStopped()),
  }
}

const workerStopped = () => new JobError('WorkerError', 'the worker did not run')

function toError({ name, message, problem, body }: SerializedError): Error {
  if (name === 'ApiError') return new ApiError(body as ApiErrorBody)
  return name === 'NetworkError' ? new NetworkError(message) : new JobError(name, message, problem)
}
