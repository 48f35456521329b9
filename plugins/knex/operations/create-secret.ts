import type { Knex } from 'knex'
import type { CreateInput } from '#core'
import type { BatchableWrite, BatchTransaction } from '../batching/group-commit.js'
import { runAll } from '../connection/batch-transaction.js'
import { isDuplicate } from '../connection/database-errors.js'
import { toNamedRecipientRows } from '../queries/named-recipients.js'
import { toNewEventRows } from '../queries/new-events.js'
import { attachFiles } from '../queries/secret-files.js'
import type { NewSecretRows } from '../queries/single-statements.js'
import { toReceiptRow } from '../rows/receipt-rows.js'
import { type TextMargin, toIdempotencyRow, toSecretRow } from '../rows/secret-rows.js'

/**
 * Creates a secret with its text, its idempotency record and its files, all or nothing.
 * `margin`: the spaces before a text; see Engine.
 */
export function createSecret(db: Knex, margin: TextMargin): BatchableWrite<CreateInput, string | null> {
  return {
    secretId: () => null,
    keys: ({ secret, record }) => (record ? [secret.id, record.keyHash] : [secret.id]),
    byteLength: ({ secret }) => secret.text.length,
    async runBatch(batch, inputs) {
      await insertSecrets(batch, margin, inputs)
      await attachFiles(batch.tx, inputs)
      return inputs.map(() => null)
    },
    async runAtOnce(single, inputs) {
      if (inputs.some(({ files = [], addressHashes = [] }) => files.length + addressHashes.length > 0)) return null
      await single.createSecrets(toNewRows(margin, inputs))
      return inputs.map(() => null)
    },
    recover({ secret, now, record }, error) {
      const created = { table: 'secrets', id: secret.id } as const
      return recoverFromDuplicate(db, { created, now, record }, error)
    },
  }
}

/** The idempotency records are in key order: the second of two transactions with the same key waits for the first. */
function toNewRows(margin: TextMargin, inputs: CreateInput[]): NewSecretRows {
  const records = inputs.flatMap(({ record }) => (record ? [toIdempotencyRow(record)] : []))
  return {
    idempotency_records: records.sort((a, b) => (a.key_hash < b.key_hash ? -1 : 1)),
    secrets: inputs.map(({ secret }) => toSecretRow(secret)),
    texts: inputs.map(({ secret: { id, text } }) => ({ secret_id: id, margin: margin(id, text), text })),
    receipts: inputs.flatMap(({ secret }) =>
      secret.receiptHash === undefined ? [] : [toReceiptRow(secret, secret.receiptHash)],
    ),
    new_events: inputs.flatMap((input) => toNewEventRows(input.events ?? [])),
  }
}

/** Inserts the idempotency records first. */
export async function insertSecrets(
  { tx, statements }: BatchTransaction,
  margin: TextMargin,
  inputs: CreateInput[],
): Promise<void> {
  const rows = toNewRows(margin, inputs)
  await runAll(tx, [
    ...statements.insert('idempotency_records', rows.idempotency_records),
    ...statements.insert('secrets', rows.secrets),
    ...statements.insertTexts(rows.texts),
    ...statements.insert('receipts', rows.receipts),
    ...statements.insert('new_events', rows.new_events),
    ...statements.insert('named_recipients', inputs.flatMap(toNamedRecipientRows)),
  ])
}

interface RepeatedCreate extends Pick<CreateInput, 'now' | 'record'> {
  /** The row that was to be inserted. */
  created: { table: 'secrets' | 'requests'; id: string }
}

/**
 * Returns the response of a live idempotency record with the same key. Deletes an expired one, and returns null: the
 * create can run again. Otherwise throws `error`.
 */
export async function recoverFromDuplicate(
  db: Knex,
  { created: { table, id }, now, record }: RepeatedCreate,
  error: unknown,
): Promise<string | null> {
  if (!record || !isDuplicate(error)) throw error
  const earlier = db('idempotency_records').where({ key_hash: record.keyHash })
  const live = await earlier.clone().where('expires_at', '>', now).first()
  if (live) return live.response
  if (await db(table).where({ id }).first('id')) throw error
  // Other callers may run this at the same time: the first insert wins.
  await earlier.where('expires_at', '<=', now).delete()
  return null
}
