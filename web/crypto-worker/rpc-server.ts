/** The worker's side of the RPC with the page. */

export type Jobs = Record<string, (...args: never[]) => unknown>

export interface Request {
  id: number
  job: string
  args: unknown[]
}

/** Structured cloning loses the class of an error, so its distinguishing fields are sent instead. */
export interface SerializedError {
  name: string
  message: string
  /** Of a DecryptError. */
  problem?: string
  /** Of an ApiError. */
  body?: unknown
}

/** A message without an id is the progress of the running job. */
export type Response = { id: number; result?: unknown; error?: SerializedError } | { done: number }

/** Call it once, when the worker starts. */
export function serveJobs(jobs: Jobs): void {
  addEventListener('message', async ({ data: { id, job, args } }: MessageEvent<Request>) => {
    const answer = (response: Response, taken: Transferable[] = []) => postMessage(response, { transfer: taken })
    try {
      const result = await (jobs[job] as (...args: unknown[]) => unknown)(...args)
      answer({ id, result }, result instanceof Uint8Array ? [result.buffer] : [])
    } catch (error) {
      const { name, message, problem, body } = error as Error & Pick<SerializedError, 'problem' | 'body'>
      answer({ id, error: { name, message, ...(problem && { problem }), ...(body !== undefined && { body }) } })
    }
  })
}

/** Reports the progress of the running job to the page. For workers that run one job at a time. */
export const reportProgress = (done: number): void => postMessage({ done } satisfies Response)
