import type { Knex } from 'knex'
import type { Binding, IdempotencyRecord, Secret } from '#core'
import { type BatchableWrite, runSingle } from '../batching/group-commit.js'
import { isDuplicate } from '../connection/database-errors.js'
import { attachFiles } from '../queries/secret-files.js'
import { toIdempotencyRow, toSecretRow } from '../rows/secret-rows.js'

interface CreateInput {
  secret: Secret
  /** Epoch ms. */
  now: number
  record: IdempotencyRecord | undefined
  files: Binding[]
}

/**
 * Creates a secret with its text, its idempotency record and its files, all or nothing.
 * `margin` is stored before every text; see Engine.
 */
export function createSecret(db: Knex, margin: string): BatchableWrite<CreateInput, string | null> {
  const write: BatchableWrite<CreateInput, string | null> = {
    secretId: () => null,
    keys: ({ secret, record }) => (record ? [secret.id, record.keyHash] : [secret.id]),
    byteLength: ({ secret }) => secret.text.length + margin.length,
    async runBatch({ tx }, inputs) {
      await insertSecrets(tx, margin, inputs)
      for (const { secret, files, now } of inputs) await attachFiles(tx, secret, files, now)
      return inputs.map(() => null)
    },
    recover: (input, error) => recoverFromDuplicate(db, write, input, error),
  }
  return write
}

/**
 * Inserts the idempotency records first and in key order, because the second of two transactions with the same key waits for
 * the first.
 */
async function insertSecrets(tx: Knex.Transaction, margin: string, inputs: CreateInput[]): Promise<void> {
  const records = inputs.flatMap(({ record }) => (record ? [toIdempotencyRow(record)] : []))
  if (records.length > 0) await tx('replays').insert(records.sort((a, b) => (a.key_hash < b.key_hash ? -1 : 1)))
  await tx('secrets').insert(inputs.map(({ secret }) => toSecretRow(secret)))
  await tx('texts').insert(inputs.map(({ secret: { id, text } }) => ({ secret_id: id, margin, text })))
}

/** Returns the response of a live idempotency record with the same key. Replaces an expired one. Otherwise throws `error`. */
async function recoverFromDuplicate(
  db: Knex,
  write: BatchableWrite<CreateInput, string | null>,
  input: CreateInput,
  error: unknown,
): Promise<string | null> {
  const { secret, now, record } = input
  if (!record || !isDuplicate(error)) throw error
  const earlier = db('replays').where({ key_hash: record.keyHash })
  const live = await earlier.clone().where('expires_at', '>', now).first()
  if (live) return live.answer
  if (await db('secrets').where({ id: secret.id }).first('id')) throw error
  // Other callers may be here too: the first one to insert wins.
  await earlier.where('expires_at', '<=', now).delete()
  return runSingle(db, { write, input })
}
