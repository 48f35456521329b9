/** Writes to file descriptors. Node's own stream for stdout ignores short writes to files, as on a full disk. */
import { fstat, fsync, write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lookUp } from '#shared/look-up'
import { CliError } from '../lib/cli-error.js'

/** Pauses before a full pipe is tried again, in ms. */
const FIRST_PAUSE_MS = 1
const MAX_PAUSE_MS = 20

/** The system calls, so that tests can replace them. */
export interface WriteCalls {
  write(fd: number, bytes: Uint8Array, offset: number, length: number, at: null): Promise<{ bytesWritten: number }>
}

const SYSTEM: WriteCalls = { write: promisify(write) }

/** Writes all bytes at the position of the descriptor. Throws the system error when a byte cannot be written. */
export async function writeAll(fd: number, data: string | Uint8Array, calls = SYSTEM): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  let pauseMs = FIRST_PAUSE_MS
  for (let done = 0; done < bytes.length; ) {
    try {
      const { bytesWritten } = await calls.write(fd, bytes, done, bytes.length - done, null)
      if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'EIO' })
      done += bytesWritten
      pauseMs = FIRST_PAUSE_MS
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error
      await sleep(pauseMs)
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
    }
  }
}

/** Flushes a regular file to the disk, which reports errors of delayed writes. Does nothing for pipes and devices. */
export async function syncFile(fd: number): Promise<void> {
  if ((await promisify(fstat)(fd)).isFile()) await promisify(fsync)(fd)
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would become larger than allowed',
  EPIPE: 'its reader is gone',
  EIO: 'the device failed',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network disk lost the file',
}

/** Returns a CliError `not_written` for a system error, and other errors unchanged. `target` names the output. */
export function toWriteError(error: unknown, target: string): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  if (error instanceof CliError || typeof code !== 'string' || !/^E[A-Z\d]+$/.test(code)) return error
  const reason = lookUp(REASONS, code)
  return new CliError('not_written', `cannot write ${target}: ${reason ? `${reason} (${code})` : code}`, undefined, {
    cause: error,
  })
}

/** True when the reader of a pipe is gone. */
export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof CliError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EPIPE'
