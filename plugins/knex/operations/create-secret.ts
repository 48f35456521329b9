import type { Knex } from 'knex'
import type { CreateInput } from '#core'
import { type BatchableWrite, type BatchTransaction, runSingle, type WriteTarget } from '../batching/group-commit.js'
import { isDuplicate } from '../connection/database-errors.js'
import { insertNamedRecipients } from '../queries/named-recipients.js'
import { toNewEventRows } from '../queries/new-events.js'
import { attachFiles } from '../queries/secret-files.js'
import type { NewSecretRows } from '../queries/single-statements.js'
import { toReceiptRow } from '../rows/receipt-rows.js'
import { type Row, type TextMargin, toIdempotencyRow, toSecretRow } from '../rows/secret-rows.js'

/**
 * Creates a secret with its text, its idempotency record and its files, all or nothing.
 * `margin`: the spaces before a text; see Engine.
 */
export function createSecret(
  db: Knex,
  target: WriteTarget,
  margin: TextMargin,
): BatchableWrite<CreateInput, string | null> {
  const write: BatchableWrite<CreateInput, string | null> = {
    secretId: () => null,
    keys: ({ secret, record }) => (record ? [secret.id, record.keyHash] : [secret.id]),
    byteLength: ({ secret }) => secret.text.length,
    async runBatch(batch, inputs) {
      await insertSecrets(batch, margin, inputs)
      await insertNamedRecipients(batch.tx, batch.statements, inputs)
      await attachFiles(batch.tx, inputs)
      return inputs.map(() => null)
    },
    async runAtOnce(single, inputs) {
      if (inputs.some(({ files = [], addressHashes = [] }) => files.length + addressHashes.length > 0)) return null
      await single.createSecrets(toNewRows(margin, inputs))
      return inputs.map(() => null)
    },
    recover: async (input, error) => {
      const { secret, now, record } = input
      const created = { table: 'secrets', id: secret.id } as const
      const response = await recoverFromDuplicate(db, { created, now, record }, error)
      return response ?? runSingle(target, { write, input })
    },
  }
  return write
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
  const { texts, idempotency_records: records, secrets, ...others } = toNewRows(margin, inputs)
  const insert = (table: string, rows: Row[]) => (rows.length > 0 ? [() => statements.insert(tx, table, rows)] : [])
  await tx.runAll([
    ...insert('idempotency_records', records),
    ...insert('secrets', secrets),
    () => statements.insertTexts(tx, texts),
    ...insert('receipts', others.receipts),
    ...insert('new_events', others.new_events),
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
  // Other callers may be here too: the first one to insert wins.
  await earlier.where('expires_at', '<=', now).delete()
  return null
}
