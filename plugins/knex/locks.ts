/** Rows of secrets that nobody else changes before the end of the transaction. */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { toSecretMeta } from './rows.js'

/** Locks the rows of these secrets, always in the same order, so that no two transactions wait for each other. */
export async function lock(tx: Knex.Transaction, ids: string[]): Promise<Map<string, SecretMeta>> {
  if (ids.length === 0) return new Map()
  const rows = await tx('secrets').whereIn('id', ids).orderBy('id').forUpdate()
  return new Map(rows.map((row) => [row.id, toSecretMeta(row)]))
}

/** Throws, and so undoes the transaction, when a statement changed other rows than those that were locked for it. */
export function expectChanged(changed: number, { length }: unknown[]): void {
  if (changed !== length) throw new Error('a locked row was changed by somebody else')
}
