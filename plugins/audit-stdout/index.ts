/**
 * Writes the audit log to standard output, as one JSON object per line, for container platforms. Documentation:
 * docs/audit-sinks.md.
 */
import { definePlugin, z } from '#core'
import { createStdoutSink } from './stdout-sink.js'

const STDOUT = 1

export default definePlugin({
  contract: 1,
  name: 'audit-stdout',
  options: z.object({}),
  setup: () => ({ auditSink: createStdoutSink(STDOUT) }),
})
