/** Handles EPIPE on the output streams, as in `mayfly help | head -1`. */
import type { Writable } from 'node:stream'
import { EXIT } from './cli-error.js'

/** Exits without a message on EPIPE. Rethrows other stream errors. */
export function exitOnBrokenPipe(streams: Writable[], exit: (code: number) => void): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      exit(EXIT.unexpected)
    })
  }
}
