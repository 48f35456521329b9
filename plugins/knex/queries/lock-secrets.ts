import type { Knex } from 'knex'
import type { Secret } from '#core'
import { type Row, toSecret } from '../rows/secret-rows.js'

/** A secret whose row is locked. Its text is empty unless it was read `withText`. */
export interface LockedSecret extends Secret {
  /** Number of locks caused by wrong passwords since the last view. */
  locks: number
}

/** Locks the rows of these secrets until the end of the transaction. Ordered by id, so transactions cannot deadlock. */
export async function lockSecrets(
  tx: Knex.Transaction,
  ids: string[],
  { withText = false }: { withText?: boolean | undefined } = {},
): Promise<Map<string, LockedSecret>> {
  if (ids.length === 0) return new Map()
  const secrets = tx('secrets').whereIn('id', ids).orderBy('id').forUpdate()
  const rows: Row[] = await (withText
    ? secrets.join('texts', 'texts.secret_id', 'secrets.id').select('secrets.*', 'text')
    : secrets)
  return new Map(rows.map((row) => [row.id, { ...toSecret(row), text: row.text ?? '', locks: row.locks }]))
}

/** Throws, and so rolls back the transaction, when a statement changed other rows than those that were locked for it. */
export function assertAllChanged(changed: number, { length }: unknown[]): void {
  if (changed !== length) throw new Error('a locked row was changed by another transaction')
}
