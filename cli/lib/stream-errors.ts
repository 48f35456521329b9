/** Handles errors of the output streams, such as EPIPE in `mayfly help | head -1`. */
import type { Writable } from 'node:stream'
import { CliError, EXIT } from './cli-error.js'

/**
 * Exits without a message on EPIPE. On other errors, such as a full disk, prints the message that `describe` returns to
 * stderr and exits with the code of `not_written`.
 */
export function exitOnStreamError(
  streams: { stdout: Writable; stderr: Writable },
  describe: (error: unknown) => unknown,
  exit: (code: number) => void,
): void {
  for (const stream of [streams.stdout, streams.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return exit(EXIT.unexpected)
      const failure = describe(error)
      if (!(failure instanceof CliError)) throw error
      if (stream !== streams.stderr) streams.stderr.write(`mayfly: error: ${failure.message}\n`)
      exit(EXIT.not_written)
    })
  }
}
