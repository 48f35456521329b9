/** Downloads and decrypts one file into a blob, and verifies it. */

import { NetworkError } from '#shared/client/client'
import { receiveParts } from '#shared/client/download'
import type { AttachedFile } from '#shared/client/viewed-content'
import { site } from '../../../lib/site.js'
import { RETRY_OPTIONS } from '../../../lib/transfers/retry-options.js'
import type { WorkerPool } from '../../../lib/transfers/worker-pool.js'

interface FetchOptions {
  pool: WorkerPool
  signal: AbortSignal
  /** Called with the number of bytes that have arrived. */
  onProgress(done: number, isWaiting: boolean): void
}

/**
 * Throws JobError, DecryptError, ApiError (`file.not_found` when the ticket has expired), NetworkError, a NoSpaceError
 * or the signal's reason.
 */
export async function fetchFile(
  secretId: string,
  file: AttachedFile,
  { pool, signal, onProgress }: FetchOptions,
): Promise<Blob> {
  const { size, sealed } = file
  const parts: Blob[] = []
  onProgress(0, false)
  await receiveParts(
    secretId,
    file,
    { ...RETRY_OPTIONS, signal, onProgress: ({ done, isWaiting }) => onProgress(done, isWaiting) },
    {
      fetch: (call, length) => pool.fetchPart({ server: site.base, call, length, fileKey: sealed?.key ?? null }),
      async handle({ blob, hash }) {
        parts.push(blob)
        return hash
      },
    },
  )
  // Not the type of the file: see lib/download-file.ts.
  const blob = new Blob(parts, { type: 'application/octet-stream' })
  if (blob.size !== size) throw new NetworkError('the file did not arrive completely')
  await assertReadable(blob)
  return blob
}

/** A browser that has no space left for a blob reports it only when the blob is read. */
async function assertReadable(blob: Blob): Promise<void> {
  try {
    await blob.slice(-1).arrayBuffer()
  } catch (cause) {
    throw Object.assign(new Error('the browser could not store the file', { cause }), { name: 'NoSpaceError' })
  }
}
