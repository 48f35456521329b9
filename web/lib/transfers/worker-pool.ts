/** Workers for the parts of files, one for each and gone with it, because only then all is freed that it held. */
import { NetworkError } from '#shared/client'
import { type Digest, type DigestState, PART_SIZE } from '#shared/parts'
import { type Desk, openDesk } from '../../crypto-worker/rpc-client.js'
import type { FileJobs } from './transfer-worker.js'

/** Longer than a call for a part may take by itself: a worker that is silent for so long does not answer any more. */
const SILENCE_MS = 6 * 60_000

export type Crew = ReturnType<typeof startCrew>

/**
 * What a job throws is told in worker.ts; whatever was not done is rejected with JobError when the crew ends, and with
 * NetworkError when its worker fell silent: another one may do it.
 */
export function startCrew() {
  const desks = new Set<Desk<FileJobs>>()

  async function alone<Job extends keyof FileJobs>(
    job: Job,
    args: Parameters<FileJobs[Job]>,
    onProgress?: (done: number) => void,
  ): Promise<Awaited<ReturnType<FileJobs[Job]>>> {
    const desk = openDesk<FileJobs>('files', onProgress)
    desks.add(desk)
    try {
      const answer = desk.run(job, args)
      return await (job === 'zip' ? answer : inTime(answer))
    } finally {
      desk.end()
      desks.delete(desk)
    }
  }

  return {
    sendPart: (part: Parameters<FileJobs['sendPart']>[0], onSent: (bytes: number) => void) =>
      alone('sendPart', [part], onSent),
    fetchPart: (part: Parameters<FileJobs['fetchPart']>[0]) => alone('fetchPart', [part]),
    zip: (files: Parameters<FileJobs['zip']>[0]) => alone('zip', [files]),
    newDigest(): Counting {
      let state: DigestState | undefined
      return {
        async update(bytes) {
          for (let at = 0; at < bytes.size; at += PART_SIZE) {
            state = await alone('digest', [bytes.slice(at, at + PART_SIZE), state])
          }
        },
        hex: () => alone('digestHex', [state]),
      }
    },
    /** Ends all workers. */
    end() {
      for (const desk of desks) desk.end()
    },
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NetworkError('a worker fell silent')), SILENCE_MS)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** A digest of what lies in blobs. */
interface Counting extends Pick<Digest, 'hex'> {
  update(bytes: Blob): Promise<void>
  hex(): Promise<string>
}
