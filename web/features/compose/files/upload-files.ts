/** Seals and uploads files, one after another, each in several parts at a time. */
import { base64urlnopad } from '@scure/base'
import type { UploadId } from '#shared/client'
import { newFileKey, PART_SIZE } from '#shared/parts'
import { patiently } from '#shared/patience'
import type { DraftFile } from '#shared/sealing'
import { deliver, type Progress, type Uploaded } from '#shared/upload'
import { api } from '../../../lib/api.js'
import { site } from '../../../lib/site.js'
import { RETRY_OPTIONS } from '../../../lib/transfers/retry-options.js'
import { createSpeedMeter, type TransferState } from '../../../lib/transfers/transfer-speed.js'
import { createWorkerPool, type WorkerPool } from '../../../lib/transfers/worker-pool.js'
import { type Attachment, totalSize } from './attachments.js'

/** How far all files are. `file`: the one on its way, and how many of its bytes have arrived. */
export interface UploadStatus extends TransferState {
  file: { id: number; done: number }
}

export interface UploadOptions {
  signal: AbortSignal
  onProgress(sent: UploadStatus): void
}

const DEFAULT_TYPE = 'application/octet-stream'

/**
 * Throws an error named UnreadableError for a file that was moved, deleted or changed since it was chosen, ApiError,
 * NetworkError, JobError or the signal's reason; then nothing stays at the server.
 */
export async function uploadFiles(files: Attachment[], { signal, onProgress }: UploadOptions): Promise<DraftFile[]> {
  const crew = createWorkerPool()
  const read = createSpeedMeter(totalSize(files))
  const sent: DraftFile[] = []
  let before = 0
  signal.addEventListener('abort', crew.end)
  try {
    for (const { id, name, file } of files) {
      const tell = (done: number, isWaiting: boolean) =>
        onProgress({ ...read(before + done, isWaiting), file: { id, done } })
      tell(0, false)
      const uploaded = await uploadFile(file, crew, signal, ({ done, isWaiting }) => tell(done, isWaiting))
      sent.push({ ...uploaded, name, type: file.type || DEFAULT_TYPE })
      before += file.size
    }
    return sent
  } catch (error) {
    await deleteUploads(sent)
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', crew.end)
    crew.end()
  }
}

/** Best effort: what no secret claims is removed anyway, within an hour. */
export async function deleteUploads(files: UploadId[]): Promise<void> {
  await Promise.all(files.map((file) => api.deleteFile(file).catch(() => {})))
}

async function uploadFile(
  file: File,
  crew: WorkerPool,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const counted = patiently(() => hashFile(file, crew), { ...RETRY_OPTIONS, signal })
  // It is waited for when all parts have arrived.
  counted.catch(() => {})
  const putPart = (upload: UploadId, index: number, onSent: (bytes: number) => void) => {
    const bytes = file.slice(index * PART_SIZE, (index + 1) * PART_SIZE)
    return crew.sendPart({ server: site.base, upload, index, fileKey, bytes }, onSent)
  }
  const sent = await deliver(api, file.size, putPart, { ...RETRY_OPTIONS, signal, onProgress })
  try {
    return { ...sent, size: file.size, key: base64urlnopad.encode(fileKey), sha256: await counted }
  } catch (error) {
    await deleteUploads([sent])
    throw error
  }
}

async function hashFile(file: File, crew: WorkerPool): Promise<string> {
  const digest = crew.newDigest()
  await digest.update(file)
  return digest.hex()
}
