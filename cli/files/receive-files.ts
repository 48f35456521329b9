/** Downloads the files of an opened secret. One that fails takes none of the others with it. */
import type { AttachedFile } from '#shared/client/attached-files'
import { type Client, NetworkError } from '#shared/client/client'
import { download } from '#shared/client/download'
import { safeFileName } from '#shared/file-name'
import { interruptible } from '../lib/signals.js'
import { describe } from '../output/error-output.js'
import type { Io } from '../output/io.js'
import { type Display, type ProgressMode, showProgress } from '../output/progress.js'
import { nodeDigest } from './digest.js'
import { newSavedFile } from './saved-file.js'

/** Everything that a download needs but the file. */
export interface Desk {
  client: Client
  secretId: string
  mode: ProgressMode
  io: Io
}

/** One of `path` and `error` is null. */
export interface Received {
  /** Fit to be shown. */
  name: string
  /** Bytes. */
  size: number
  path: string | null
  error: unknown
}

/** Saves each under its own name in the folder. Throws only when it is interrupted; then what is whole stays. */
export async function saveFiles(files: AttachedFile[], folder: string, desk: Desk): Promise<Received[]> {
  const display = displayOf(files, desk)
  const received: Received[] = []
  let before = 0
  try {
    for (const file of files) {
      received.push(unreached(file, received) ?? (await saveOne(file, folder, desk, display, before)))
      before += file.size
    }
    return received
  } finally {
    display.end()
  }
}

/** Once the server was waited for in vain, it is for the other files too. */
function unreached(file: AttachedFile, received: Received[]): Received | null {
  const lost = received.find(({ error }) => error instanceof NetworkError)
  return lost ? { ...lost, name: safeFileName(file.name), size: file.size } : null
}

function saveOne(file: AttachedFile, folder: string, desk: Desk, display: Display, before: number): Promise<Received> {
  const facts = { name: safeFileName(file.name), size: file.size }
  return interruptible(desk.io.ending, async (signal) => {
    const saved = await newSavedFile(folder, file.name, desk.io)
    try {
      await fetchInto(file, saved.write, desk, display, before, signal)
      const path = await saved.keep()
      desk.io.note(`saved ${path}`)
      return { ...facts, path, error: null }
    } catch (error) {
      await saved.drop()
      if (signal.aborted) throw error
      desk.io.warn(`${facts.name}: ${describe(error).message}`)
      return { ...facts, path: null, error }
    }
  })
}

/** Hands the bytes of one file on as they are opened. Throws as `download`. */
export async function pipeFile(
  file: AttachedFile,
  write: (bytes: Uint8Array) => Promise<void>,
  desk: Desk,
): Promise<void> {
  const display = displayOf([file], desk)
  const fetchIt = (signal: AbortSignal) => fetchInto(file, write, desk, display, 0, signal)
  await interruptible(desk.io.ending, fetchIt).finally(() => display.end())
}

function displayOf(files: AttachedFile[], { mode, io }: Desk): Display {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const display = showProgress('Receiving and decrypting', total, mode, io)
  return { ...display, update: (progress) => display.update({ ...progress, total }) }
}

function fetchInto(
  file: AttachedFile,
  write: (bytes: Uint8Array) => Promise<void>,
  { client, secretId }: Desk,
  display: Display,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  return download(client, secretId, file, write, {
    signal,
    digest: nodeDigest(),
    onProgress: ({ done, ...rest }) => display.update({ ...rest, done: before + done }),
  })
}
