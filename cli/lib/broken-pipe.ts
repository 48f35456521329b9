/** What happens when a reader of the output goes away, as in `mayfly help | head -1`. */
import type { Writable } from 'node:stream'
import { EXIT } from './cli-error.js'

/** Ends the program without a message. Other errors of the streams are thrown. */
export function exitOnBrokenPipe(streams: Writable[], exit: (code: number) => void): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      exit(EXIT.unexpected)
    })
  }
}
