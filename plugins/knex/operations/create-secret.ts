import type { Knex } from 'knex'
import type { Binding, IdempotencyRecord, OutboxEvent, Secret } from '#core'
import { type BatchableWrite, type BatchTransaction, runSingle, type WriteTarget } from '../batching/group-commit.js'
import { isDuplicate } from '../connection/database-errors.js'
import { attachFiles } from '../queries/secret-files.js'
import { toNewEventRows } from '../rows/new-event-rows.js'
import { toReceiptRow } from '../rows/receipt-rows.js'
import { type TextMargin, toIdempotencyRow, toSecretRow } from '../rows/secret-rows.js'

interface CreateInput {
  secret: Secret
  /** Epoch ms. */
  now: number
  record: IdempotencyRecord | undefined
  files: Binding[]
  events: OutboxEvent[]
}

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
      for (const { secret, files, now } of inputs) await attachFiles(batch.tx, secret, files, now)
      return inputs.map(() => null)
    },
    recover: async (input, error) => {
      const { secret, now, record } = input
      const created = { table: 'secrets', id: secret.id } as const
      const answer = await recoverFromDuplicate(db, { created, now, record }, error)
      return answer ?? runSingle(target, { write, input })
    },
  }
  return write
}

/**
 * Inserts the idempotency records first and in key order, because the second of two transactions with the same key waits for
 * the first.
 */
export async function insertSecrets(
  { tx, statements }: BatchTransaction,
  margin: TextMargin,
  inputs: CreateInput[],
): Promise<void> {
  const records = inputs.flatMap(({ record }) => (record ? [toIdempotencyRow(record)] : []))
  const sorted = records.sort((a, b) => (a.key_hash < b.key_hash ? -1 : 1))
  const secrets = inputs.map(({ secret }) => toSecretRow(secret))
  const texts = inputs.map(({ secret: { id, text } }) => ({ secret_id: id, margin: margin(id, text), text }))
  const events = inputs.flatMap((input) => toNewEventRows(input.events))
  const receipts = inputs.flatMap(({ secret }) =>
    secret.receiptHash === undefined ? [] : [toReceiptRow(secret, secret.receiptHash)],
  )
  await tx.runAll([
    ...(sorted.length > 0 ? [() => statements.insert(tx, 'replays', sorted)] : []),
    () => statements.insert(tx, 'secrets', secrets),
    () => statements.insert(tx, 'texts', texts),
    ...(receipts.length > 0 ? [() => statements.insert(tx, 'receipts', receipts)] : []),
    ...(events.length > 0 ? [() => statements.insert(tx, 'new_events', events)] : []),
  ])
}

interface RepeatedCreate extends Pick<CreateInput, 'now' | 'record'> {
  /** The row that was to be inserted. */
  created: { table: 'secrets' | 'requests'; id: string }
}

/**
 * Returns the response of a live idempotency record with the same key. Deletes an expired one, and returns null: the create can run again.
 * Otherwise throws `error`.
 */
export async function recoverFromDuplicate(
  db: Knex,
  { created: { table, id }, now, record }: RepeatedCreate,
  error: unknown,
): Promise<string | null> {
  if (!record || !isDuplicate(error)) throw error
  const earlier = db('replays').where({ key_hash: record.keyHash })
  const live = await earlier.clone().where('expires_at', '>', now).first()
  if (live) return live.answer
  if (await db(table).where({ id }).first('id')) throw error
  // Other callers may be here too: the first one to insert wins.
  await earlier.where('expires_at', '<=', now).delete()
  return null
}
