import type { Secret } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import type { Queries } from '../connection/batch-transaction.js'
import { toSecret } from '../rows/secret-rows.js'
import type { Row } from '../rows/tables.js'

/** A secret whose row is locked. Its text is empty unless it was read with its text. */
export interface LockedSecret extends Secret {
  /** Number of locks caused by wrong passwords since the last view. */
  locks: number
}

/** Locks the rows of these secrets until the end of the transaction. Ordered by id, so transactions cannot deadlock. */
export async function lockSecrets(tx: Queries, ids: string[]): Promise<Map<string, LockedSecret>> {
  if (ids.length === 0) return new Map()
  return toLocked(await tx('secrets').whereIn('id', ids).orderBy('id').forUpdate())
}

/** Locks as `lockSecrets` does, but only the secrets that the cleanup may delete at `now`. */
export async function lockDueSecrets(tx: Queries, ids: string[], now: EpochMs): Promise<Map<string, LockedSecret>> {
  if (ids.length === 0) return new Map()
  return toLocked(await tx('secrets').whereIn('id', ids).where('cleanup_at', '<=', now).orderBy('id').forUpdate())
}

export const toLocked = (rows: Row[]): Map<string, LockedSecret> =>
  new Map(rows.map((row) => [row.id, { ...toSecret(row), text: row.text ?? '', locks: row.locks }]))

/** Throws, and so rolls back the transaction, when a statement changed rows that were not locked for it. */
export function assertAllChanged(changed: number, { length }: unknown[]): void {
  if (changed !== length) throw new Error('a locked row was changed by another transaction')
}
