/** Seals and uploads files, one after another, each in several parts at a time. */
import { base64urlnopad } from '@scure/base'
import type { UploadId } from '#shared/client'
import { newFileKey, PART_SIZE } from '#shared/parts'
import { patiently } from '#shared/patience'
import type { DraftFile } from '#shared/sealing'
import { deliver, type Progress, type Uploaded } from '#shared/upload'
import { api } from '../../../lib/api.js'
import { site } from '../../../lib/site.js'
import { PATIENCE } from '../../../lib/transfers/retry-options.js'
import { createMeter, type Reading } from '../../../lib/transfers/transfer-speed.js'
import { type Crew, startCrew } from '../../../lib/transfers/worker-pool.js'
import { type Attached, totalSize } from './attached-files.js'

/** How far all files are. `file`: the one on its way, and how many of its bytes have arrived. */
export interface Sent extends Reading {
  file: { id: number; done: number }
}

export interface Watch {
  signal: AbortSignal
  onProgress(sent: Sent): void
}

const OCTETS = 'application/octet-stream'

/**
 * Throws an error named UnreadableError for a file that was moved, deleted or changed since it was chosen, ApiError,
 * NetworkError, JobError or the signal's reason; then nothing stays at the server.
 */
export async function sendFiles(files: Attached[], { signal, onProgress }: Watch): Promise<DraftFile[]> {
  const crew = startCrew()
  const read = createMeter(totalSize(files))
  const sent: DraftFile[] = []
  let before = 0
  signal.addEventListener('abort', crew.end)
  try {
    for (const { id, name, file } of files) {
      const tell = (done: number, isWaiting: boolean) =>
        onProgress({ ...read(before + done, isWaiting), file: { id, done } })
      tell(0, false)
      const uploaded = await sendFile(file, crew, signal, ({ done, isWaiting }) => tell(done, isWaiting))
      sent.push({ ...uploaded, name, type: file.type || OCTETS })
      before += file.size
    }
    return sent
  } catch (error) {
    await takeBack(sent)
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', crew.end)
    crew.end()
  }
}

/** Best effort: what no secret claims is removed anyway, within an hour. */
export async function takeBack(files: UploadId[]): Promise<void> {
  await Promise.all(files.map((file) => api.deleteFile(file).catch(() => {})))
}

async function sendFile(
  file: File,
  crew: Crew,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const counted = patiently(() => hashOf(file, crew), { ...PATIENCE, signal })
  // It is waited for when all parts have arrived.
  counted.catch(() => {})
  const putPart = (upload: UploadId, index: number, onSent: (bytes: number) => void) => {
    const bytes = file.slice(index * PART_SIZE, (index + 1) * PART_SIZE)
    return crew.sendPart({ server: site.base, upload, index, fileKey, bytes }, onSent)
  }
  const sent = await deliver(api, file.size, putPart, { ...PATIENCE, signal, onProgress })
  try {
    return { ...sent, size: file.size, key: base64urlnopad.encode(fileKey), sha256: await counted }
  } catch (error) {
    await takeBack([sent])
    throw error
  }
}

async function hashOf(file: File, crew: Crew): Promise<string> {
  const digest = crew.newDigest()
  await digest.update(file)
  return digest.hex()
}
