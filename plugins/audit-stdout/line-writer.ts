/** Writes lines to a file descriptor without blocking the process. */
import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Delay in ms when the reader of a pipe is slow. */
const FULL_PIPE_MS = 50

/**
 * Returns a function that writes texts, one after the other. A write that takes too long goes on, and the next one
 * waits for it.
 */
export function createLineWriter(descriptor: number): (lines: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (lines) => {
    last = last.catch(() => {}).then(() => writeAll(descriptor, Buffer.from(lines)))
    return last
  }
}

/** Not with `process.stdout`, which blocks the process when the reader of a pipe is slow. */
async function writeAll(descriptor: number, data: Buffer): Promise<void> {
  for (let offset = 0; offset < data.length; ) {
    try {
      const { bytesWritten } = await promisify(write)(descriptor, data, offset, data.length - offset)
      offset += bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await sleep(FULL_PIPE_MS)
    }
  }
}
