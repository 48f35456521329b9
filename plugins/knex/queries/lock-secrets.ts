import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { toSecretMeta } from '../rows/secret-rows.js'

/** Locks the rows of these secrets until the end of the transaction. Ordered by id, so transactions cannot deadlock. */
export async function lockSecrets(tx: Knex.Transaction, ids: string[]): Promise<Map<string, SecretMeta>> {
  if (ids.length === 0) return new Map()
  const rows = await tx('secrets').whereIn('id', ids).orderBy('id').forUpdate()
  return new Map(rows.map((row) => [row.id, toSecretMeta(row)]))
}

/** Throws, and so rolls back the transaction, when a statement changed other rows than those that were locked for it. */
export function assertAllChanged(changed: number, { length }: unknown[]): void {
  if (changed !== length) throw new Error('a locked row was changed by another transaction')
}
