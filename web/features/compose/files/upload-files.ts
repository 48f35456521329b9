/** Encrypts and uploads files, one after another, several parts at a time. */
import { base64urlnopad } from '@scure/base'
import type { Client, UploadId } from '#shared/client/client'
import { type Progress, type Uploaded, uploadParts } from '#shared/client/upload'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { digestOfParts } from '#shared/crypto/file-digest'
import { newFileKey, PART_SIZE } from '#shared/crypto/parts'
import { api } from '../../../lib/api.js'
import { site } from '../../../lib/site.js'
import { RETRY_OPTIONS } from '../../../lib/transfers/retry-options.js'
import { createSpeedMeter, type TransferState } from '../../../lib/transfers/transfer-speed.js'
import { createWorkerPool, type WorkerPool } from '../../../lib/transfers/worker-pool.js'
import { type Attachment, totalSize } from '../draft/attachments.js'

/** The progress of all files. `file`: the current one and its uploaded bytes. */
export interface UploadStatus extends TransferState {
  file: { id: number; done: number }
}

export interface UploadOptions {
  signal: AbortSignal
  onProgress(sent: UploadStatus): void
  /** Creates the files; by default as for a secret of the user. */
  client?: Client
}

const DEFAULT_TYPE = 'application/octet-stream'

/**
 * Throws an error named UnreadableError for a file that was moved, deleted or changed since it was chosen, ApiError,
 * NetworkError, JobError or the signal's reason. It deletes the uploaded files then.
 */
export async function uploadFiles(
  files: Attachment[],
  { signal, onProgress, client = api }: UploadOptions,
): Promise<DraftFile[]> {
  const pool = createWorkerPool()
  const toState = createSpeedMeter(totalSize(files))
  const sent: DraftFile[] = []
  let before = 0
  signal.addEventListener('abort', pool.end)
  try {
    for (const { id, name, file } of files) {
      const report = (done: number, isWaiting: boolean) =>
        onProgress({ ...toState(before + done, isWaiting), file: { id, done } })
      report(0, false)
      const uploaded = await uploadFile(file, pool, {
        signal,
        client,
        onProgress: ({ done, isWaiting }) => report(done, isWaiting),
      })
      sent.push({ ...uploaded, name, type: file.type || DEFAULT_TYPE })
      before += file.size
    }
    return sent
  } catch (error) {
    await deleteUploads(sent)
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', pool.end)
    pool.end()
  }
}

/** Best effort: the server deletes unclaimed files within an hour. */
export async function deleteUploads(files: UploadId[]): Promise<void> {
  await Promise.all(files.map((file) => api.deleteFile(file).catch(() => {})))
}

async function uploadFile(
  file: File,
  pool: WorkerPool,
  { signal, client, onProgress }: { signal: AbortSignal; client: Client; onProgress(progress: Progress): void },
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const hashes: Uint8Array[] = []
  const putPart = async (upload: UploadId, index: number, onSent: (bytes: number) => void) => {
    const bytes = file.slice(index * PART_SIZE, (index + 1) * PART_SIZE)
    hashes[index] = await pool.sendPart({ server: site.base, upload, index, fileKey, bytes }, onSent)
  }
  const sent = await uploadParts(client, file.size, putPart, { ...RETRY_OPTIONS, signal, onProgress })
  return { ...sent, size: file.size, key: base64urlnopad.encode(fileKey), digest: digestOfParts(hashes) }
}
