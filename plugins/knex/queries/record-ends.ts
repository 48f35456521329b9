/**
 * Adds entries of ended secrets in the transactions that end them, which have locked the rows of the secrets before.
 */
import type { Knex } from 'knex'
import { isUsedUp, type ReceiptOutcome, type SecretMeta } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import type { Queries } from '../connection/batch-transaction.js'
import { type OwnedSecret, toEndedSecretRow } from '../rows/ended-secret-rows.js'
import type { Row } from '../rows/tables.js'
import { insertInChunks } from './insert-in-chunks.js'

export interface End {
  secret: SecretMeta
  at: EpochMs
}

/** Records secrets that ended before their views were used up. If none has an owner, it runs no statement. */
export async function recordEnds(tx: Queries, outcome: ReceiptOutcome, ends: End[]): Promise<void> {
  const rows = ends.flatMap(({ secret, at }) =>
    hasOwner(secret) && !isUsedUp(secret) ? [toEndedSecretRow(secret, outcome, at)] : [],
  )
  await insertInChunks(rows, (chunk) => insertEnds(tx, chunk))
}

/** The entries of secrets that were viewed for the last time. `secret`: after the view. */
export const toLastViewRows = (views: End[]): Row[] =>
  views.flatMap(({ secret, at }) =>
    hasOwner(secret) && isUsedUp(secret) ? [toEndedSecretRow(secret, 'used-up', at)] : [],
  )

/** Replaces entries of earlier secrets with the same ids. */
export const insertEnds = (tx: Queries, rows: Row[]): Knex.QueryBuilder =>
  tx('ended_secrets').insert(rows).onConflict('id').merge()

const hasOwner = (secret: SecretMeta): secret is OwnedSecret => secret.ownerId !== null
