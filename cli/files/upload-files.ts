/** Uploads the files of a new secret in sequence and deletes them on failure. */
import type { Client } from '#shared/client/client'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import type { Io } from '../output/io.js'
import { createProgressDisplay, type ProgressMode } from '../output/progress.js'
import type { OutgoingFile } from './outgoing-file.js'

/** All files have the same type: readers' systems recognize files by their names. */
const FILE_TYPE = 'application/octet-stream'

/** Throws what `upload` throws, after deleting the uploaded files. */
export async function uploadFiles(
  files: OutgoingFile[],
  client: Client,
  { mode, signal, io }: { mode: ProgressMode; signal: AbortSignal; io: Io },
): Promise<DraftFile[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const display = createProgressDisplay('Encrypting and sending', total, mode, io)
  const sent: DraftFile[] = []
  let before = 0
  try {
    for (const file of files) {
      const onProgress = ({ done, isWaiting }: { done: number; isWaiting: boolean }) =>
        display.update({ done: before + done, total, isWaiting })
      sent.push({ ...(await file.send(client, { signal, onProgress })), name: file.name, type: FILE_TYPE })
      before += file.size
    }
    return sent
  } catch (error) {
    await deleteUploads(sent, client)
    throw error
  } finally {
    display.end()
  }
}

/** Best effort: the server deletes unclaimed files within an hour. */
export async function deleteUploads(files: DraftFile[], client: Client): Promise<void> {
  for (const file of files) await client.deleteFile(file).catch(() => {})
}
