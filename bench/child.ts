/** Parts of the benchmark run in processes of their own, so that their CPU time is not mixed with the server's. */
import { type ChildProcess, fork } from 'node:child_process'

export interface Child<Job, Result> {
  pid: number
  /** Runs one job. One at a time. Rejects with the error of the job, or when the process ends. */
  run(job: Job): Promise<Result>
  stop(): void
}

type Message<Result> = { result: Result } | { error: string }

/** Starts this program again with a role that main.ts knows. */
export function startChild<Job extends object, Result>(role: string): Child<Job, Result> {
  const child = fork(process.argv[1] as string, [role])
  return {
    pid: child.pid as number,
    run(job) {
      const result = nextResult<Result>(child, role)
      child.send(job)
      return result
    },
    stop: () => void child.kill(),
  }
}

/** Runs one job in a new process. */
export async function runOnce<Job extends object, Result>(role: string, job: Job): Promise<Result> {
  const child = startChild<Job, Result>(role)
  return child.run(job).finally(() => child.stop())
}

/** The child's side: runs each job that arrives until the process is stopped. */
export function runAsChild<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', async (job) => {
    try {
      process.send?.({ result: await work(job as Job) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}

function nextResult<Result>(child: ChildProcess, role: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the process "${role}" ended before its job`))
    child.once('exit', onExit)
    child.once('message', (message: Message<Result>) => {
      child.off('exit', onExit)
      if ('error' in message) reject(new Error(message.error))
      else resolve(message.result)
    })
  })
}
