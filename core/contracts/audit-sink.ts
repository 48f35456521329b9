/** Receives the entries of the audit log beside the storage: a file, a log server, a SIEM. */
import type { AuditEntry } from './audit.js'

export interface AuditSink {
  /**
   * Writes entries, the oldest first. A queue calls it after the request, one batch after the other. An error, and no
   * result after 10 s, count as failed: the same entries are written again, even if the first call still runs. So each
   * entry is written at least once, and a receiver recognizes repeated ones by their ids.
   */
  write(entries: AuditEntry[]): Promise<void>
  /** Checks whether entries can be written, for `mayfly doctor`. Rejects with the reason. */
  ping?(): Promise<void>
}

/** State of the queue of a sink. */
export interface AuditSinkState {
  /** Name of the plugin. */
  sink: string
  /** Entries that wait. */
  waiting: number
  /** Entries of this process that were dropped because too many were waiting. */
  dropped: number
  isFailing: boolean
}
