/** Rows of named recipients. They belong to one secret, whose row is locked first. */
import type { CreateInput, NamedRecipient } from '#core'
import type { RowOf } from '#migrations'
import type { Queries } from '../connection/batch-transaction.js'
import type { Row } from '../rows/tables.js'

/** The recipients of a new secret. */
export const toNamedRecipientRows = ({ secret, addressHashes = [] }: CreateInput): RowOf<'named_recipients'>[] =>
  addressHashes.map((hash, index) => toNamedRecipientRow(secret.id, index + 1, hash))

export const toNamedRecipientRow = (id: string, number: number, hash: string): RowOf<'named_recipients'> => ({
  secret_id: id,
  number,
  address_hash: hash,
  code_hash: null,
  code_expires_at: 0,
  views: 0,
})

/** With the code that was mailed last. */
export interface StoredRecipient extends NamedRecipient {
  codeHash: string | null
  codeExpiresAt: number
}

/** By number. Locks the rows until the end of the transaction, so that codes are not replaced meanwhile. */
export async function lockNamedRecipients(tx: Queries, id: string): Promise<StoredRecipient[]> {
  const rows: Row[] = await tx('named_recipients').where({ secret_id: id }).orderBy('number').forUpdate()
  return rows.map((row) => ({
    number: row.number,
    addressHash: row.address_hash,
    views: row.views,
    codeHash: row.code_hash,
    codeExpiresAt: Number(row.code_expires_at),
  }))
}
