/** Parts of the benchmark run in processes of their own, so that their work is not taken for the server's. */
import { fork } from 'node:child_process'

export interface Running<Answer> {
  answer: Answer
  stop(): void
}

/** Runs the role that main.ts knows by this name. Rejects when its process ends without an answer. */
export function inProcess<Job extends object, Answer>(role: string, job: Job): Promise<Running<Answer>> {
  const child = fork(process.argv[1] as string, [role])
  return new Promise((resolve, reject) => {
    child.once('message', (answer: Answer) => resolve({ answer, stop: () => void child.kill() }))
    child.once('exit', () => reject(new Error(`${role} ended without an answer`)))
    child.send(job)
  })
}

/** Its answer alone: the process is stopped then. */
export async function once<Job extends object, Answer>(role: string, job: Job): Promise<Answer> {
  const { answer, stop } = await inProcess<Job, Answer>(role, job)
  stop()
  return answer
}

/** The other end: takes the job, sends the answer and lives on until it is stopped. */
export async function play<Job, Answer>(role: (job: Job) => Promise<Answer>): Promise<void> {
  const job = await new Promise<Job>((resolve) => process.once('message', resolve as (job: unknown) => void))
  process.send?.(await role(job))
}
