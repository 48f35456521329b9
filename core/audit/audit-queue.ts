import { randomBytes } from 'node:crypto'
import type { AuditEntry } from '../contracts/audit.js'

/** Limit of entries that wait for a store that is down. Further entries are dropped and counted. */
const QUEUE_MAX = 10_000

/** Entries that are not written yet. */
export function createAuditQueue() {
  const entries: AuditEntry[] = []
  let dropped = 0
  /** Number of entries so far, part of their ids. */
  let count = 0

  /** Returns the entry with its id, also when it is dropped. */
  function add(given: Omit<AuditEntry, 'id'>): AuditEntry {
    const entry = { id: createId(given.at, count++), ...given }
    if (entries.length < QUEUE_MAX) entries.push(entry)
    else dropped++
    return entry
  }

  return {
    add,
    size: () => entries.length,
    /** The oldest entries. They stay in the queue. */
    peek: (limit: number): AuditEntry[] => entries.slice(0, limit),
    /** Removes the oldest entries. `isDropped`: the store did not accept them. */
    remove(removed: number, isDropped: boolean): void {
      entries.splice(0, removed)
      if (isDropped) dropped += removed
    },
    /** Adds an entry with the number of dropped entries, if there are any. */
    addDropped(at: number): void {
      if (dropped === 0) return
      const detail = { entries: dropped }
      dropped = 0
      add({ at, action: 'audit.dropped', actor: null, subject: null, address: null, detail })
    },
  }
}

/** Ids sort in the order of creation, also within a millisecond. */
function createId(at: number, count: number): string {
  const digits = (value: number, length: number) => value.toString(36).padStart(length, '0').slice(-length)
  return digits(at, 9) + digits(count, 4) + randomBytes(8).toString('hex')
}
