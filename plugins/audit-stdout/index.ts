/** Writes the audit log to standard output, as one JSON object per line, for container platforms. Documentation: docs/audit-sinks.md. */
import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { definePlugin, z } from '#core'

const STDOUT = 1
/** Delay in ms when the reader of a pipe is slow. */
const FULL_PIPE_MS = 50

export default definePlugin({
  contract: 2,
  name: 'audit-stdout',
  options: z.object({}),
  setup() {
    let last: Promise<void> = Promise.resolve()
    return {
      auditSink: {
        // A write that takes too long goes on. The next one waits for it, so that lines do not mix.
        write(entries) {
          const lines = entries.map((entry) => `${JSON.stringify({ type: 'audit', ...entry })}\n`).join('')
          last = last.catch(() => {}).then(() => writeAll(Buffer.from(lines)))
          return last
        },
      },
    }
  },
})

/** Not with `process.stdout`, which blocks the process when the reader of a pipe is slow. */
async function writeAll(data: Buffer): Promise<void> {
  for (let offset = 0; offset < data.length; ) {
    try {
      const { bytesWritten } = await promisify(write)(STDOUT, data, offset, data.length - offset)
      offset += bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await sleep(FULL_PIPE_MS)
    }
  }
}
