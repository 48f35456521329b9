/** Workers for the parts of files, one for each and gone with it, because only then all is freed that it held. */
import { NetworkError } from '#shared/client'
import { type Digest, type DigestState, PART_SIZE } from '#shared/parts'
import { createWorkerClient, type WorkerClient } from '../../crypto-worker/rpc-client.js'
import type { TransferJobs } from './transfer-worker.js'

/** Longer than a call for a part may take by itself: a worker that is silent for so long does not answer any more. */
const JOB_TIMEOUT_MS = 6 * 60_000

export type WorkerPool = ReturnType<typeof createWorkerPool>

/**
 * What a job throws is told in worker.ts; whatever was not done is rejected with JobError when the crew ends, and with
 * NetworkError when its worker fell silent: another one may do it.
 */
export function createWorkerPool() {
  const workers = new Set<WorkerClient<TransferJobs>>()

  async function runInWorker<Job extends keyof TransferJobs>(
    job: Job,
    args: Parameters<TransferJobs[Job]>,
    onProgress?: (done: number) => void,
  ): Promise<Awaited<ReturnType<TransferJobs[Job]>>> {
    const desk = createWorkerClient<TransferJobs>('files', onProgress)
    workers.add(desk)
    try {
      const answer = desk.run(job, args)
      return await (job === 'zip' ? answer : withTimeout(answer))
    } finally {
      desk.end()
      workers.delete(desk)
    }
  }

  return {
    sendPart: (part: Parameters<TransferJobs['sendPart']>[0], onSent: (bytes: number) => void) =>
      runInWorker('sendPart', [part], onSent),
    fetchPart: (part: Parameters<TransferJobs['fetchPart']>[0]) => runInWorker('fetchPart', [part]),
    zip: (files: Parameters<TransferJobs['zip']>[0]) => runInWorker('zip', [files]),
    newDigest(): BlobDigest {
      let state: DigestState | undefined
      return {
        async update(bytes) {
          for (let at = 0; at < bytes.size; at += PART_SIZE) {
            state = await runInWorker('digest', [bytes.slice(at, at + PART_SIZE), state])
          }
        },
        hex: () => runInWorker('digestHex', [state]),
      }
    },
    /** Ends all workers. */
    end() {
      for (const desk of workers) desk.end()
    },
  }
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NetworkError('a worker fell silent')), JOB_TIMEOUT_MS)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** A digest of what lies in blobs. */
interface BlobDigest extends Pick<Digest, 'hex'> {
  update(bytes: Blob): Promise<void>
  hex(): Promise<string>
}
