/** Runs each file job in its own worker and terminates it afterwards, because only that frees all of its memory. */
import { NetworkError } from '#shared/client/client'
import { withTimeout } from '#shared/with-timeout'
import { createWorkerClient, type WorkerClient } from '../../crypto-worker/rpc-client.js'
import type { TransferJobs } from '../../crypto-worker/transfer-worker.js'

/** Longer than the request timeout of a part: such a worker hangs. */
const JOB_TIMEOUT_MS = 6 * 60_000

export type WorkerPool = ReturnType<typeof createWorkerPool>

/**
 * Jobs reject with the errors in transfer-worker.ts, with JobError when the pool ends, and with NetworkError, which is
 * retried, when their worker hangs.
 */
export function createWorkerPool() {
  const workers = new Set<WorkerClient<TransferJobs>>()

  async function runInWorker<Job extends keyof TransferJobs>(
    job: Job,
    args: Parameters<TransferJobs[Job]>,
    onProgress?: (done: number) => void,
  ): Promise<Awaited<ReturnType<TransferJobs[Job]>>> {
    const worker = createWorkerClient<TransferJobs>('files', onProgress)
    workers.add(worker)
    try {
      const result = worker.run(job, args)
      return await (job === 'zip' ? result : withTimeout(JOB_TIMEOUT_MS, result, hangingWorkerError))
    } finally {
      worker.end()
      workers.delete(worker)
    }
  }

  return {
    sendPart: (part: Parameters<TransferJobs['sendPart']>[0], onSent: (bytes: number) => void) =>
      runInWorker('sendPart', [part], onSent),
    fetchPart: (part: Parameters<TransferJobs['fetchPart']>[0]) => runInWorker('fetchPart', [part]),
    zip: (files: Parameters<TransferJobs['zip']>[0]) => runInWorker('zip', [files]),
    /** Terminates all workers. */
    end() {
      for (const worker of workers) worker.end()
    },
  }
}

const hangingWorkerError = () => new NetworkError('a worker does not respond')
