/** Uploads the files of a new secret and shows the progress. */
import type { Client } from '#shared/client/client'
import { uploadFiles } from '#shared/client/upload-files'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import type { Io } from '../output/io.js'
import { createProgressDisplay, type ProgressMode } from '../output/progress.js'
import type { OpenFile } from './open-file.js'

/** Throws what `upload` throws, after deleting the uploaded files. */
export async function uploadWithProgress(
  files: OpenFile[],
  client: Client,
  { mode, signal, io, copies }: { mode: ProgressMode; signal: AbortSignal; io: Io; copies?: number | undefined },
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
