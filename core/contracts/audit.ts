/** Audit log: actor, action, time and network. Does not contain secret texts or credentials. */

import type { EpochMs } from '../shared/epoch-ms.js'
import type { AuditAction } from '../shared/event-catalog.js'
import type { AuthContext } from './auth-context.js'
import type { Page } from './page.js'

export interface AuditEntry {
  /** Unique. */
  id: string
  at: EpochMs
  /** `noun.verb`, such as `settings.changed`. Up to 64 characters. */
  action: string
  /** Username at that time; `(shell)`: the local CLI; null: an anonymous caller. */
  actor: string | null
  /** Object of the action: a username, the start of a secret's id, the name of a setting. Up to 255 characters. */
  subject: string | null
  /** Network of the client as CIDR, never a full address. Null for the local CLI. */
  address: string | null
  /** Further values, stored as JSON. */
  detail: Record<string, string | number | boolean | null>
}

export interface AuditFilter {
  action?: string
  actor?: string
  subject?: string
  /** Inclusive. */
  since?: EpochMs
  /** Exclusive. */
  until?: EpochMs
}

/** A point of the hash chain: the position of an entry, from 1, and its hash as hex. */
export interface ChainPoint {
  position: number
  hash: string
}

/** An entry as part of the hash chain. */
export interface ChainedEntry extends AuditEntry, ChainPoint {
  /** Hash of the entry before it. */
  previous: string
}

export interface ChainState {
  /** The last entry that was appended, also when it is deleted; null: none. */
  end: ChainPoint | null
  /** Number of all entries. */
  entries: number
}

/** Append-only. Only `deleteBefore` deletes entries, the oldest ones. */
export interface AuditStore {
  /**
   * Appends entries to the hash chain with `chainEntries`, all or none. Processes append one after the other: no two
   * entries have the same position, and an entry is not visible before entries of lower positions.
   */
  append(entries: AuditEntry[]): Promise<void>
  /** Newest first. Entries with the same time have a stable order across pages. */
  list(filter: AuditFilter, page: Page): Promise<AuditEntry[]>
  /**
   * Deletes up to `limit` entries older than `before`, and returns their number. It deletes from the start of the
   * chain, so an entry stays while an entry of a lower position does.
   */
  deleteBefore(before: number, limit: number): Promise<number>
  /** Up to `limit` entries of the chain after a position, ascending. */
  readChain(after: number, limit: number): Promise<ChainedEntry[]>
  chainState(): Promise<ChainState>
}

/** Entry that a use case records. The audit log adds id and time, and takes actor and address from the caller. */
export interface Note {
  action: AuditAction
  /** Of a failed sign-in: the anonymous caller. */
  caller: Pick<AuthContext, 'username' | 'address'>
  subject?: string | null
  detail?: AuditEntry['detail']
}

export interface Audit {
  /** Records an action. Resolves at once and never rejects. */
  note(note: Note): Promise<void>
}
