/** Uploads the files of a new secret and shows the progress. */
import type { Client } from '#shared/client/client'
import { deleteUploads, uploadFiles } from '#shared/client/upload-files'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { interruptible } from '../lib/signals.js'
import type { Io } from '../output/io.js'
import { createProgressDisplay, type ProgressMode } from '../output/progress.js'
import type { OpenFile } from './open-file.js'

interface UploadOptions {
  mode: ProgressMode
  io: Io
  /** Number of secrets that get the files. */
  copies?: number
}

/**
 * Uploads the files, runs `work` with them, and closes them. Deletes the uploaded files on failure. Throws what
 * `upload` and `work` throw.
 */
export function withUploads<T>(
  files: OpenFile[],
  client: Client,
  options: UploadOptions,
  work: (uploaded: DraftFile[], signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return interruptible(options.io.cleanup, async (signal) => {
    const uploaded = await uploadWithProgress(files, client, options, signal)
    try {
      return await work(uploaded, signal)
    } catch (error) {
      // Ends an open upload. Secrets that were created keep their files.
      await deleteUploads(uploaded, client)
      throw error
    }
  }).finally(() => Promise.all(files.map((file) => file.close())))
}

async function uploadWithProgress(
  files: OpenFile[],
  client: Client,
  { mode, io, copies }: UploadOptions,
  signal: AbortSignal,
): Promise<DraftFile[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const display = createProgressDisplay('Encrypting and sending', total, mode, io)
  try {
    return await uploadFiles(files, client, {
      signal,
      copies,
      onProgress: ({ done, isWaiting }) => display.update({ done, total, isWaiting }),
    })
  } finally {
    display.end()
  }
}
