/** The worker's end of a desk: does the jobs that it is sent and answers each. */

export type Jobs = Record<string, (...args: never[]) => unknown>

export interface Request {
  id: number
  job: string
  args: unknown[]
}

/** Errors do not survive the way as objects of their class: what tells them apart is carried beside. */
export interface SerializedError {
  name: string
  message: string
  /** Of a SealError. */
  problem?: string
  /** Of an ApiError. */
  body?: unknown
}

/** Without an id: how far the job is. */
export type Response = { id: number; result?: unknown; error?: SerializedError } | { done: number }

/** To be called once, when the worker starts. */
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

/** Tells the page how far the job is. Only for workers that do one job at a time. */
export const reportProgress = (done: number): void => postMessage({ done } satisfies Response)
