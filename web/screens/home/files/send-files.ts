/** Seals and uploads files, one after another, each in several parts at a time. */
import type { DraftFile } from '#shared/sealing'
import { upload } from '#shared/upload'
import { api } from '../../../api.js'
import { startCrew } from '../../../files/crew.js'
import { createMeter, type Reading } from '../../../files/meter.js'
import { PATIENCE } from '../../../files/patience.js'
import { type Attached, totalSize } from './attached.js'

/** How far all files are. `file`: the one on its way, and how many of its bytes have arrived. */
export interface Sent extends Reading {
  file: { id: number; done: number }
}

export interface Watch {
  signal: AbortSignal
  onProgress(sent: Sent): void
}

/** It was moved, deleted or changed since it was chosen. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

const OCTETS = 'application/octet-stream'

/** Throws UnreadableError, ApiError, NetworkError or the signal's reason; then nothing stays at the server. */
export async function sendFiles(files: Attached[], { signal, onProgress }: Watch): Promise<DraftFile[]> {
  const crew = startCrew()
  const read = createMeter(totalSize(files))
  const sent: DraftFile[] = []
  let before = 0
  try {
    for (const { id, name, file } of files) {
      const tell = (done: number, isWaiting: boolean) =>
        onProgress({ ...read(before + done, isWaiting), file: { id, done } })
      tell(0, false)
      const uploaded = await upload(api, sourceOf(file), {
        ...PATIENCE,
        ...{ sealPart: crew.sealPart, digest: crew.newDigest(), signal },
        onProgress: ({ done, isWaiting }) => tell(done, isWaiting),
      })
      sent.push({ ...uploaded, name, type: file.type || OCTETS })
      before += file.size
    }
    return sent
  } catch (error) {
    await takeBack(sent)
    throw error instanceof RangeError ? new UnreadableError('a file changed', { cause: error }) : error
  } finally {
    crew.end()
  }
}

/** Best effort: what no secret claims is removed anyway, within an hour. */
export async function takeBack(files: DraftFile[]): Promise<void> {
  await Promise.all(files.map((file) => api.deleteFile(file).catch(() => {})))
}

const sourceOf = (file: File) => ({
  size: file.size,
  read: (start: number, end: number) =>
    file
      .slice(start, end)
      .arrayBuffer()
      .then(
        (buffer) => new Uint8Array(buffer),
        (cause) => {
          throw new UnreadableError('a file cannot be read', { cause })
        },
      ),
})
