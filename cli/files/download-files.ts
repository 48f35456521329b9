/** Downloads the files of an opened secret. A failed file doesn't stop the others. */

import { type Client, NetworkError } from '#shared/client/client'
import { download } from '#shared/client/download'
import type { AttachedFile } from '#shared/client/viewed-content'
import { safeFileName } from '#shared/file-name'
import { interruptible } from '../lib/signals.js'
import { describeError } from '../output/error-output.js'
import type { Io } from '../output/io.js'
import { createProgressDisplay, type ProgressDisplay, type ProgressMode } from '../output/progress.js'
import { createSavedFile } from './saved-file.js'

/** Shared by the downloads of one secret. */
export interface DownloadContext {
  client: Client
  secretId: string
  mode: ProgressMode
  io: Io
}

/** One of `path` and `error` is null. */
export interface ReceivedFile {
  /** Safe to print. */
  name: string
  /** Bytes. */
  size: number
  path: string | null
  error: unknown
}

/** Saves each file under its own name in the folder. Throws only on interruption; complete files stay. */
export async function downloadFiles(
  files: AttachedFile[],
  folder: string,
  context: DownloadContext,
): Promise<ReceivedFile[]> {
  const display = createDisplay(files, context)
  const received: ReceivedFile[] = []
  let before = 0
  try {
    for (const file of files) {
      received.push(failAfterOutage(file, received) ?? (await downloadFile(file, folder, context, display, before)))
      before += file.size
    }
    return received
  } finally {
    display.end()
  }
}

/** Returns a failed result when an earlier file failed because the server was unreachable. */
function failAfterOutage(file: AttachedFile, received: ReceivedFile[]): ReceivedFile | null {
  const lost = received.find(({ error }) => error instanceof NetworkError)
  return lost ? { ...lost, name: safeFileName(file.name), size: file.size } : null
}

function downloadFile(
  file: AttachedFile,
  folder: string,
  context: DownloadContext,
  display: ProgressDisplay,
  before: number,
): Promise<ReceivedFile> {
  const facts = { name: safeFileName(file.name), size: file.size }
  return interruptible(context.io.cleanup, async (signal) => {
    const saved = await createSavedFile(folder, file.name, context.io)
    try {
      await downloadInto(file, saved.write, context, display, before, signal)
      const path = await saved.commit()
      context.io.note(`saved ${path}`)
      return { ...facts, path, error: null }
    } catch (error) {
      await saved.discard()
      if (signal.aborted) throw error
      context.io.warn(`${facts.name}: ${describeError(error).message}`)
      return { ...facts, path: null, error }
    }
  })
}

/** Writes the decrypted bytes of one file as they arrive. Throws what `download` throws. */
export async function streamFile(
  file: AttachedFile,
  write: (bytes: Uint8Array) => Promise<void>,
  context: DownloadContext,
): Promise<void> {
  const display = createDisplay([file], context)
  const fetchIt = (signal: AbortSignal) => downloadInto(file, write, context, display, 0, signal)
  await interruptible(context.io.cleanup, fetchIt).finally(() => display.end())
}

function createDisplay(files: AttachedFile[], { mode, io }: DownloadContext): ProgressDisplay {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const display = createProgressDisplay('Receiving and decrypting', total, mode, io)
  return { ...display, update: (progress) => display.update({ ...progress, total }) }
}

function downloadInto(
  file: AttachedFile,
  write: (bytes: Uint8Array) => Promise<void>,
  { client, secretId }: DownloadContext,
  display: ProgressDisplay,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  return download(client, secretId, file, write, {
    signal,
    onProgress: ({ done, ...rest }) => display.update({ ...rest, done: before + done }),
  })
}
