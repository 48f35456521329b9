/** Fetches and opens files, one at a time, into blobs: whole and verified, or not at all. */
import type { AttachedFile } from '#shared/attached-files'
import { receiveParts } from '#shared/download'
import { site } from '../../../lib/site.js'
import { RETRY_OPTIONS } from '../../../lib/transfers/retry-options.js'
import { createSpeedMeter, type TransferState } from '../../../lib/transfers/transfer-speed.js'
import type { WorkerPool } from '../../../lib/transfers/worker-pool.js'

interface FetchOptions {
  crew: WorkerPool
  signal: AbortSignal
  onProgress(reading: TransferState): void
}

/** Throws JobError, SealError, ApiError (`file.not_found` when its time is over), NetworkError or the signal's reason. */
export async function fetchFile(
  secretId: string,
  file: AttachedFile,
  { crew, signal, onProgress }: FetchOptions,
): Promise<Blob> {
  const { size, sealed } = file
  const read = createSpeedMeter(size)
  const digest = crew.newDigest()
  const parts: Blob[] = []
  const tell = (done: number, isWaiting: boolean) => onProgress(read(done, isWaiting))
  tell(0, false)
  await receiveParts(
    secretId,
    file,
    { ...RETRY_OPTIONS, signal, onProgress: ({ done, isWaiting }) => tell(done, isWaiting) },
    {
      fetch: (call, length) => crew.fetchPart({ server: site.base, call, length, fileKey: sealed?.key ?? null }),
      async take(part) {
        if (sealed) await digest.update(part)
        parts.push(part)
      },
      hex: digest.hex,
    },
  )
  // Always octets: see save.ts.
  return new Blob(parts, { type: 'application/octet-stream' })
}
