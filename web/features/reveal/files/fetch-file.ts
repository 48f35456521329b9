/** Downloads and decrypts one file into a blob, and verifies it. */
import type { AttachedFile } from '#shared/client/attached-files'
import { receiveParts } from '#shared/client/download'
import { site } from '../../../lib/site.js'
import { RETRY_OPTIONS } from '../../../lib/transfers/retry-options.js'
import { createSpeedMeter, type TransferState } from '../../../lib/transfers/transfer-speed.js'
import type { WorkerPool } from '../../../lib/transfers/worker-pool.js'

interface FetchOptions {
  pool: WorkerPool
  signal: AbortSignal
  onProgress(state: TransferState): void
}

/** Throws JobError, DecryptError, ApiError (`file.not_found` when the ticket has expired), NetworkError or the signal's reason. */
export async function fetchFile(
  secretId: string,
  file: AttachedFile,
  { pool, signal, onProgress }: FetchOptions,
): Promise<Blob> {
  const { size, sealed } = file
  const toState = createSpeedMeter(size)
  const digest = pool.newDigest()
  const parts: Blob[] = []
  const report = (done: number, isWaiting: boolean) => onProgress(toState(done, isWaiting))
  report(0, false)
  await receiveParts(
    secretId,
    file,
    { ...RETRY_OPTIONS, signal, onProgress: ({ done, isWaiting }) => report(done, isWaiting) },
    {
      fetch: (call, length) => pool.fetchPart({ server: site.base, call, length, fileKey: sealed?.key ?? null }),
      async handle(part) {
        if (sealed) await digest.update(part)
        parts.push(part)
      },
      hex: digest.hex,
    },
  )
  // Not the type of the file: see lib/download-file.ts.
  return new Blob(parts, { type: 'application/octet-stream' })
}
