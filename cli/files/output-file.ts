/** Writes output files: mode 0600, atomic, and never over an existing file without confirmation. */
import { randomBytes } from 'node:crypto'
import { constants, rmSync } from 'node:fs'
import { type FileHandle, link, lstat, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../lib/cli-error.js'
import { onExit } from '../lib/signals.js'
import { type Io, resolvePath } from '../output/io.js'
import { syncFile, toWriteError, writeAll } from '../output/write-all.js'

export interface Output {
  /** Throws CliError `not_written`. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Syncs the file and gives it its final name. Without this call no file remains. Throws CliError `not_written`. */
  close(): Promise<void>
}

/** Pause before a named pipe without a reader is opened again, in ms. */
const READER_PAUSE_MS = 100
const STDOUT_PATHS = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']
/** Paths of open descriptors. */
const DESCRIPTORS = /^\/(dev|proc\/self)\/fd\/\d+$|^\/dev\/stderr$/

/**
 * Opens a file for writing, or stdout for undefined and `-`. Creates the temporary file at once, so that an unwritable
 * path is reported before a view is used. Devices and named pipes are written directly. Throws CliError `usage`.
 */
export async function openOutput(named: string | undefined, yes: boolean | undefined, io: Io): Promise<Output> {
  if (named === undefined || isStdout(named)) {
    return { write: (bytes) => io.write(bytes), close: () => io.flush() }
  }
  const path = resolvePath(io, named)
  if (await isStream(path)) return openStream(path, io)
  const isReplaced = await checkTarget(path, yes, io)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  const file = await createFile(temporary)
  let isLeft = true
  onExit(io.cleanup, () => {
    if (isLeft) rmSync(temporary, { force: true })
    void file.close().catch(() => {})
  })
  return {
    write: (bytes) => reportFailure(writeAll(file.fd, bytes)),
    close: () =>
      reportFailure(
        (async () => {
          await file.sync()
          await file.close()
          await (isReplaced ? rename(temporary, path) : publish(temporary, path))
          isLeft = false
          await syncFolder(dirname(path))
        })(),
      ),
  }
}

/** True when --output names stdout. */
export const isStdout = (named: string | undefined): boolean => named === undefined || STDOUT_PATHS.includes(named)

/**
 * Throws CliError `usage` if stdout is closed. Node.js opens /dev/null in place of a closed stdout, so that everything
 * written to it would be lost. A shell opens /dev/null for writing only, which Linux shows.
 */
export async function checkStdoutOpen(io: Io): Promise<void> {
  if (!io.ownsProcess || process.platform !== 'linux') return
  const target = await readlink('/proc/self/fd/1').catch(() => '')
  const facts = target === '/dev/null' ? await readFile('/proc/self/fdinfo/1', 'utf8').catch(() => '') : ''
  const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(facts)?.[1] ?? '1', 8)
  if ((flags & constants.O_RDWR) === 0) return
  throw new CliError('usage', 'stdout is closed', 'use --output FILE; /dev/null discards the text')
}

/** Flushes the entry of a renamed file. Best effort: not every file system can. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close().catch(() => {})
}

const reportFailure = (work: Promise<void>): Promise<void> =>
  work.catch((error) => {
    throw toWriteError(error, 'the output file')
  })

/** Renames a file without replacing another one that appeared in the meantime. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
    await rm(temporary)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CliError('not_written', 'the output file exists now', 'choose another name')
    if (code !== undefined && !NO_LINKS.includes(code)) throw error
    await (await open(path, 'wx', 0o600)).close()
    await rename(temporary, path)
  }
}

/** Errors of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'EINVAL']

/** True for paths without stored content: pipes, devices and open descriptors. */
async function isStream(path: string): Promise<boolean> {
  if (DESCRIPTORS.test(path)) return true
  const found = await stat(path).catch(() => null)
  return found !== null && (found.isCharacterDevice() || found.isFIFO())
}

async function openStream(path: string, io: Io): Promise<Output> {
  const file = await openForStreaming(path, io)
  onExit(io.cleanup, () => void file.close().catch(() => {}))
  return {
    write: (bytes) => reportFailure(writeAll(file.fd, bytes)),
    close: () => reportFailure(syncFile(file.fd)),
  }
}

/** Waits for the reader of a named pipe without blocking a thread, so that a signal can end the program. */
async function openForStreaming(path: string, io: Io): Promise<FileHandle> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENXIO') throw new CliError('usage', `cannot write --output: ${code}`)
      if (isFirst) io.note('waiting for a reader of the pipe')
      await sleep(READER_PAUSE_MS)
    }
  }
}

/** Returns true when the file exists and may be replaced. */
async function checkTarget(path: string, yes: boolean | undefined, io: Io): Promise<boolean> {
  const target = await lstat(path).catch(() => null)
  if (!target) return false
  if (!target.isFile()) throw new CliError('usage', '--output is not a file', 'choose another name')
  if (yes || (io.canPrompt && (await io.confirm('The output file exists. Replace it?', false)))) return true
  throw new CliError('usage', '--output exists already', 'choose another name, or replace it with --yes')
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw new CliError('usage', `cannot write --output: ${(error as NodeJS.ErrnoException).code}`)
  }
}
