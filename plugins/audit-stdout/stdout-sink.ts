/** The audit sink of a file descriptor. */
import type { AuditSink } from '#core'
import { createLineWriter } from './line-writer.js'

/** Writes each entry as one JSON object with `"type":"audit"`, in a line of its own. */
export function createStdoutSink(descriptor: number): AuditSink {
  const write = createLineWriter(descriptor)
  return {
    write: (entries) => write(entries.map((entry) => `${JSON.stringify({ type: 'audit', ...entry })}\n`).join('')),
  }
}
