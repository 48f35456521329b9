/** Who did what, when, and from where. Never what a secret holds, and no credential. */
import type { AuditAction } from '../audit/actions.js'
import type { AuthContext } from '../caller.js'
import type { Page } from './page.js'

export interface AuditEntry {
  /** Unique. */
  id: string
  /** Epoch ms. */
  at: number
  /** `noun.verb`, such as `settings.changed`. Up to 64 characters. */
  action: string
  /** Username of whoever did it, as it was then; `(shell)` from the command line; null: a visitor. */
  actor: string | null
  /** What it was done to: a username, the beginning of a secret's id, the name of a setting. Up to 255 characters. */
  subject: string | null
  /** The neighbourhood that it came from, as CIDR: never a whole address. Null from the command line. */
  address: string | null
  /** Further facts in short words, as JSON. */
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

/** It grows at one end and is swept at the other; nothing in it changes. */
export interface AuditStore {
  append(entries: AuditEntry[]): Promise<void>
  /** Newest first, and those of one moment in an order that does not change from page to page. */
  list(filter: AuditFilter, page: Page): Promise<AuditEntry[]>
  /** Forgets up to `limit` from before `before`; answers how many. */
  sweep(before: number, limit: number): Promise<number>
}

/** What a service notes. Id and time are the audit's; actor and address follow from the caller. */
export interface Note {
  action: AuditAction
  /** Who did it; of a sign-in that failed, a visitor. */
  caller: Pick<AuthContext, 'username' | 'address'>
  subject?: string | null
  detail?: AuditEntry['detail']
}

/** Handed to the services. It resolves at once and never rejects. */
export type Audit = (note: Note) => Promise<void>
