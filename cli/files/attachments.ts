/** Opens the files of a new secret, from --file, and checks them before anything is sent. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { PublicSettings } from '#shared/api'
import { upload } from '#shared/client/upload'
import { safeFileName } from '#shared/file-name'
import { CliError } from '../lib/cli-error.js'
import { joinStream, readHead } from '../lib/read-head.js'
import { type Io, resolvePath } from '../output/io.js'
import { FILE_TYPE, type OpenFile } from './open-file.js'
import { spoolStream } from './spool-stream.js'
import { uploadFile } from './upload-file.js'

export interface FileFlags {
  file?: string[]
  name?: string
}

/** Files up to this size are read into memory. */
const HEAD_BYTES = 256 * 1024
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
export async function openOutgoingFiles({ file = [], name }: FileFlags, maxBytes: number, io: Io): Promise<OpenFile[]> {
  const openFiles: OpenFile[] = []
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
export function createFileFromBytes(name: string, bytes: Uint8Array): OpenFile {
  const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
  return {
    name,
    type: FILE_TYPE,
    size: bytes.length,
    send: (client, options) => upload(client, source, options),
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

async function openFile(path: string, name: string | undefined, maxBytes: number, io: Io): Promise<OpenFile> {
  if (path === '-') {
    if (io.isTty.stdin) throw new CliError('usage', 'no file on stdin', 'use: mayfly secret create --file - < FILE')
    return createFileFromStream(name ?? STDIN_NAME, io.streamStdin('the file'), maxBytes, io)
  }
  const file = await openForReading(path, io)
  const stat = await file.stat()
  if (stat.isFile() && stat.size > HEAD_BYTES) return createFileFromHandle(name ?? basename(path), file, stat, maxBytes)
  if (stat.isFile()) return createFileFromContent(name ?? basename(path), file, maxBytes, io)
  // A named pipe, such as <(pg_dump).
  return createFileFromStream(name ?? STDIN_NAME, file.createReadStream(), maxBytes, io)
}

/**
 * A small file is read to its end before it is sent. Its size may be wrong: files in /proc and some network file
 * systems have the size 0, and others grow.
 */
async function createFileFromContent(name: string, file: FileHandle, maxBytes: number, io: Io): Promise<OpenFile> {
  const options = { maxBytes, tooLarge: createTooLargeError(name, maxBytes), io }
  try {
    const { bytes, rest } = await readHead(file.createReadStream(), HEAD_BYTES)
    if (rest) return await spoolStream(name, joinStream(bytes, rest), options)
    if (bytes.length > maxBytes) throw options.tooLarge
    return createFileFromBytes(name, bytes)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError('usage', `cannot read ${name}: ${(error as NodeJS.ErrnoException).code}`, NOTHING_SENT)
  } finally {
    await file.close().catch(() => {})
  }
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
): Promise<OpenFile> {
  const close = () => file.close()
  if (size > maxBytes) {
    await close()
    throw createTooLargeError(name, maxBytes)
  }
  return {
    name,
    type: FILE_TYPE,
    size,
    close,
    async send(client, options) {
      const sent = await uploadFile(client, file, size, options).catch((error) => {
        throw error instanceof RangeError ? createChangedError(name) : error
      })
      const now = await file.stat()
      const { bytesRead: more } = await file.read(new Uint8Array(1), 0, 1, size)
      if (now.size === size && now.mtimeMs === mtimeMs && more === 0) return sent
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
