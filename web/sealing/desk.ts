/** A worker that computes for the page: its jobs, and what becomes of them. */
import type { Jobs, Request, Response } from './worker.js'
import workerUrl from './worker.js?worker&url'

/** A job failed. `name` is that of the error in the worker, `problem` its cause as `#shared` words it. */
export class JobError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly problem?: string,
  ) {
    super(message)
  }
}

export type Desk = ReturnType<typeof openDesk>

type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

/** Its worker starts when it is first wanted. */
export function openDesk() {
  const waiting = new Map<number, Waiting>()
  let running: Worker | null = null
  let lastId = 0

  function end(): void {
    running?.terminate()
    running = null
    for (const { reject } of waiting.values()) reject(new JobError('WorkerError', 'the worker did not run'))
    waiting.clear()
  }

  function start(): Worker {
    const worker = new Worker(trusted(workerUrl), { type: 'module' })
    worker.addEventListener('message', ({ data: { id, result, error } }: MessageEvent<Response>) => {
      const job = waiting.get(id)
      waiting.delete(id)
      if (error) job?.reject(new JobError(error.name, error.message, error.problem))
      else job?.resolve(result)
    })
    // It could not be fetched, or it broke: the next job starts another one.
    worker.addEventListener('error', end)
    return worker
  }

  function warmUp(): void {
    running ??= start()
  }

  return {
    /** Starts the worker ahead of its first job. */
    warmUp,
    /** `taken`: buffers that move to the worker instead of being copied. */
    run<Job extends keyof Jobs>(job: Job, args: Parameters<Jobs[Job]>, taken: Transferable[] = []) {
      warmUp()
      const request: Request = { id: ++lastId, job, args }
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(request.id, { resolve, reject }))
      running?.postMessage(request, taken)
      return answer as ReturnType<Jobs[Job]> & Promise<Awaited<ReturnType<Jobs[Job]>>>
    },
    /** How many jobs are not done. */
    load: () => waiting.size,
    /** Ends the worker; what it had to do is rejected. */
    end,
  }
}

/** The page's one Trusted Types policy: it knows a single address. */
function trusted(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('app-worker', { createScriptURL: () => url })
  return (policy?.createScriptURL('') ?? url) as string
}

let policy: TrustedTypePolicy | undefined

interface TrustedTypePolicy {
  createScriptURL(input: string): unknown
}

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(input: string): string }): TrustedTypePolicy
    }
  }
}
