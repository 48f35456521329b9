/** The audit sink of a file descriptor. */
import type { AuditSink } from '#core'
import { createLineWriter } from './line-writer.js'

/** Writes each entry as one JSON object with `"type":"audit"` on one line. */
export function createStdoutSink(descriptor: number): AuditSink {
  const write = createLineWriter(descriptor)
  return {
    write: (entries) => write(entries.map((entry) => `${JSON.stringify({ type: 'audit', ...entry })}\n`).join('')),
  }
}
