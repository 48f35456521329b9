/** Opens the files of a new secret, from --file, and checks them before anything is sent. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { PublicSettings } from '#shared/api'
import { upload } from '#shared/client/upload'
import { safeFileName } from '#shared/file-name'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { createNodeDigest } from './node-digest.js'
import type { OutgoingFile } from './outgoing-file.js'
import { spoolStream } from './spool-stream.js'
import { uploadFile } from './upload-file.js'

export interface FileFlags {
  file?: string[]
  name?: string
}

/** File name of a pipe. */
export const STDIN_NAME = 'stdin.bin'
const NOTHING_SENT = 'nothing was sent'

/** Checks the flags without I/O. Throws CliError `usage`. */
export function checkFileFlags({ file = [], name, text, edit }: FileFlags & { text?: string; edit?: true }): void {
  if (edit && text !== undefined) throw new CliError('usage', '--edit and --text exclude each other', 'use one of them')
  const fromStdin = file.filter((path) => path === '-').length
  if (fromStdin > 1) throw new CliError('usage', 'stdin can be only one file')
  if (fromStdin > 0 && text === '-') throw new CliError('usage', 'stdin cannot be both the file and the text')
  if (name === undefined) return
  if (file.length !== 1 && !file.includes('-')) {
    throw new CliError('usage', '--name needs one --file', 'with several files it names the one from stdin')
  }
  if (safeFileName(name) !== name) {
    throw new CliError('usage', '--name is not a portable file name', `use a name such as ${safeFileName(name)}`)
  }
}

/** Throws CliError: `denied` when the server accepts no files, `limit` when it accepts fewer. */
export function checkUploadsAllowed(count: number, { uploads, disable_file_upload, limits }: PublicSettings): void {
  if (count === 0) return
  if (!uploads) {
    const why = disable_file_upload
      ? 'file uploads are turned off on this server'
      : 'this server accepts no files from you'
    throw new CliError('denied', why, NOTHING_SENT)
  }
  if (count > limits.maxFiles) {
    throw new CliError('limit', `too many files: this server accepts ${limits.maxFiles} per secret`, NOTHING_SENT)
  }
}

/** Opens every file; reads stdin when it is one of them. Throws CliError. */
export async function openOutgoingFiles(
  { file = [], name }: FileFlags,
  maxBytes: number,
  io: Io,
): Promise<OutgoingFile[]> {
  const openFiles: OutgoingFile[] = []
  try {
    // stdin last: a wrong path is reported before a long dump ends.
    for (const path of [...file.filter((each) => each !== '-'), ...file.filter((each) => each === '-')]) {
      const isNamed = path === '-' || file.length === 1
      openFiles.push(await openFile(path, isNamed ? name : undefined, maxBytes, io))
    }
    return openFiles
  } catch (error) {
    for (const each of openFiles) await each.close()
    throw error
  }
}

/** Creates a file from bytes in memory. */
export function createFileFromBytes(name: string, bytes: Uint8Array): OutgoingFile {
  const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
  return {
    name,
    size: bytes.length,
    send: (client, options) => upload(client, source, { ...options, digest: createNodeDigest() }),
    close: async () => {},
  }
}

/** Reads a pipe to its end. Throws CliError: `limit` when it is too large, `usage` when it is empty. */
export async function createFileFromStream(name: string, chunks: AsyncIterable<Uint8Array>, maxBytes: number, io: Io) {
  const file = await spoolStream(name, chunks, { maxBytes, tooLarge: createTooLargeError(name, maxBytes), io })
  if (file.size > 0) return file
  await file.close()
  throw new CliError('usage', `${name} is empty`, NOTHING_SENT)
}

async function openFile(path: string, name: string | undefined, maxBytes: number, io: Io): Promise<OutgoingFile> {
  if (path === '-') {
    if (io.isTty.stdin) throw new CliError('usage', 'no file on stdin', 'use: mayfly secret create --file - < FILE')
    return createFileFromStream(name ?? STDIN_NAME, io.streamStdin('the file'), maxBytes, io)
  }
  const file = await openForReading(path, io)
  const stat = await file.stat()
  if (stat.isFile()) return createFileFromHandle(name ?? basename(path), file, stat, maxBytes)
  // A named pipe, such as <(pg_dump).
  return createFileFromStream(name ?? STDIN_NAME, file.createReadStream(), maxBytes, io)
}

interface Stat {
  size: number
  mtimeMs: number
}

async function createFileFromHandle(
  name: string,
  file: FileHandle,
  { size, mtimeMs }: Stat,
  maxBytes: number,
): Promise<OutgoingFile> {
  const close = () => file.close()
  if (size > maxBytes) {
    await close()
    throw createTooLargeError(name, maxBytes)
  }
  return {
    name,
    size,
    close,
    async send(client, options) {
      const sent = await uploadFile(client, file, size, options).catch((error) => {
        throw error instanceof RangeError ? createChangedError(name) : error
      })
      const now = await file.stat()
      if (now.size === size && now.mtimeMs === mtimeMs) return sent
      await client.deleteFile(sent).catch(() => {})
      throw createChangedError(name)
    },
  }
}

async function openForReading(path: string, io: Io): Promise<FileHandle> {
  const file = await open(resolvePath(io, path), 'r').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read ${path}: ${error.code}`, NOTHING_SENT)
  })
  if (!(await file.stat()).isDirectory()) return file
  await file.close()
  throw new CliError(
    'usage',
    `${path} is a folder`,
    'use: tar cz FOLDER | mayfly secret create --file - --name FOLDER.tgz',
  )
}

const createChangedError = (name: string) =>
  new CliError(
    'conflict',
    `${name} changed while it was sent`,
    'no secret was created; try again when the file is complete',
  )

const createTooLargeError = (name: string, maxBytes: number) =>
  new CliError('limit', `${name} is too large: this server accepts ${maxBytes} bytes per file`, NOTHING_SENT)
