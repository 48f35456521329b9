/** Encrypts and uploads files, one after another, several parts at a time. */
import type { Client, UploadId } from '#shared/client/client'
import { type PartToPut, uploadWithKey } from '#shared/client/upload'
import * as shared from '#shared/client/upload-files'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { PART_SIZE } from '#shared/crypto/parts'
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
  /** Number of secrets that can have the files. Default: 1. */
  copies?: number
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
  { signal, onProgress, copies, client = api }: UploadOptions,
): Promise<DraftFile[]> {
  const pool = createWorkerPool()
  const toState = createSpeedMeter(totalSize(files))
  const onFilesProgress = ({ done, isWaiting, index, fileDone }: shared.FilesProgress) =>
    onProgress({ ...toState(done, isWaiting), file: { id: files[index]?.id ?? 0, done: fileDone } })
  signal.addEventListener('abort', pool.end)
  try {
    const outgoing = files.map((file) => toOutgoingFile(file, pool))
    return await shared.uploadFiles(outgoing, client, { signal, copies, onProgress: onFilesProgress })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', pool.end)
    pool.end()
  }
}

/** Best effort: the server deletes unclaimed files within an hour. */
export const deleteUploads = (files: UploadId[]): Promise<void> => shared.deleteUploads(files, api)

const toOutgoingFile = ({ name, file }: Attachment, pool: WorkerPool): shared.OutgoingFile => ({
  name,
  type: file.type || DEFAULT_TYPE,
  size: file.size,
  send(client, options) {
    options.onProgress?.({ done: 0, total: file.size, isWaiting: false })
    const putPart = async ({ sent: upload, index, fileKey, onHash, onSent }: PartToPut) => {
      const bytes = file.slice(index * PART_SIZE, (index + 1) * PART_SIZE)
      onHash(await pool.sendPart({ server: site.base, upload, index, fileKey, bytes }, onSent))
    }
    return uploadWithKey(client, file.size, putPart, { ...RETRY_OPTIONS, ...options })
  },
})
