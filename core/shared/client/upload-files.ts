/** Uploads the files of a secret or submission, one after another. */
import type { DraftFile } from '../crypto/encrypt-secret.js'
import type { Client, UploadId } from './client.js'
import type { Progress, Uploaded, UploadPartsOptions } from './upload.js'

/** A file to upload. */
export interface OutgoingFile {
  name: string
  /** Media type. */
  type: string
  /** Plaintext bytes. */
  size: number
  /** Encrypts and uploads it. Throws as `upload`. */
  send(client: Client, options: UploadPartsOptions): Promise<Uploaded>
}

/** Progress of all files. `index`: of the current file, of which `fileDone` bytes are sent. */
export interface FilesProgress extends Progress {
  index: number
  fileDone: number
}

interface Options {
  /** Number of secrets that can have the files. Default: 1. */
  copies?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: FilesProgress) => void) | undefined
}

/** Throws the errors of `send`, after deleting the uploaded files. */
export async function uploadFiles(
  files: OutgoingFile[],
  client: Client,
  { copies, signal, onProgress }: Options = {},
): Promise<DraftFile[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const sent: DraftFile[] = []
  let before = 0
  try {
    for (const [index, file] of files.entries()) {
      const report = ({ done, isWaiting }: Pick<Progress, 'done' | 'isWaiting'>) =>
        onProgress?.({ done: before + done, total, isWaiting, index, fileDone: done })
      const uploaded = await file.send(client, { copies, signal, onProgress: report })
      sent.push({ ...uploaded, name: file.name, type: file.type })
      before += file.size
    }
    return sent
  } catch (error) {
    await deleteUploads(sent, client)
    throw error
  }
}

/** Best effort: the server deletes unclaimed files within an hour. */
export async function deleteUploads(files: UploadId[], client: Client): Promise<void> {
  await Promise.all(files.map((file) => client.deleteFile(file).catch(() => {})))
}
