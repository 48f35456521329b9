/** Audit log: who did what, when and from where. Contains no secret texts and no credentials. */
import type { AuditAction } from './audit-actions.js'
import type { AuthContext } from './auth-context.js'
import type { Page } from './page.js'

export interface AuditEntry {
  /** Unique. */
  id: string
  /** Epoch ms. */
  at: number
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
  /** Epoch ms, inclusive. */
  since?: number
  /** Epoch ms, exclusive. */
  until?: number
}

/** Append-only. Only `deleteBefore` deletes entries, the oldest ones. */
export interface AuditStore {
  append(entries: AuditEntry[]): Promise<void>
  /** Newest first. Entries with the same time have a stable order across pages. */
  list(filter: AuditFilter, page: Page): Promise<AuditEntry[]>
  /** Deletes up to `limit` entries older than `before`, and returns their number. */
  deleteBefore(before: number, limit: number): Promise<number>
}

/** Input of a service. The audit service adds id and time, and takes actor and address from the caller. */
export interface Note {
  action: AuditAction
  /** Of a failed sign-in: the anonymous caller. */
  caller: Pick<AuthContext, 'username' | 'address'>
  subject?: string | null
  detail?: AuditEntry['detail']
}

/** Records an action. Resolves at once and never rejects. */
export type Audit = (note: Note) => Promise<void>
