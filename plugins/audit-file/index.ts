/** Writes the audit log to a file, as one JSON object per line, and rotates it. Documentation: docs/audit-sinks.md. */
import { resolve } from 'node:path'
import { bytes, definePlugin, wholeNumber, z } from '#core'
import { createRotatingFile } from './rotating-file.js'

export default definePlugin({
  contract: 1,
  name: 'audit-file',
  options: z.object({
    file: z
      .string()
      .min(1)
      .default('audit/audit.ndjson')
      .describe('file of the newest entries; a relative path is inside dataDir'),
    maxBytes: bytes(1024, 2 ** 40)
      .default(50 * 2 ** 20)
      .describe('size at which a new file is started, such as 50MiB'),
    keepFiles: wholeNumber(0, 10_000).default(20).describe('number of older files to keep'),
  }),
  async setup({ file, maxBytes, keepFiles }, { dataDir }) {
    const { append, check } = createRotatingFile({ path: resolve(dataDir, file), maxBytes, keepFiles })
    await check()
    return {
      auditSink: {
        write: (entries) => append(`${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`),
        ping: check,
      },
    }
  },
})
