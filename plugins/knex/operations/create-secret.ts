import type { Knex } from 'knex'
import type { Binding, Replay, Secret } from '#core'
import { type BatchableWrite, type BatchTransaction, RUN_SINGLE } from '../batching/group-commit.js'
import { isDuplicate } from '../connection/database-errors.js'
import { attachFiles } from '../queries/secret-files.js'
import { toReplayRow, toSecretRow } from '../rows/secret-rows.js'

interface CreateInput {
  secret: Secret
  /** Epoch ms. */
  now: number
  replay: Replay | undefined
  files: Binding[]
}

/** Creates a secret with its text, its replay and its files, all or nothing. `margin` is stored before every text; see Engine. */
export const createSecret = (db: Knex, margin: string): BatchableWrite<CreateInput, string | null> => ({
  secretId: () => null,
  keys: ({ secret, replay }) => (replay ? [secret.id, replay.keyHash] : [secret.id]),
  byteLength: ({ secret }) => secret.text.length + margin.length,
  runSingle: (input) => createSingle(db, margin, input),
  runBatch: (batch, inputs) => createBatch(batch, margin, inputs),
})

async function createSingle(db: Knex, margin: string, input: CreateInput): Promise<string | null> {
  const { secret, now, replay, files } = input
  try {
    await db.transaction(async (tx) => {
      await insertSecrets(tx, margin, [input])
      await attachFiles(tx, secret, files, now)
    })
    return null
  } catch (error) {
    if (!replay || !isDuplicate(error)) throw error
    const earlier = db('replays').where({ key_hash: replay.keyHash })
    const live = await earlier.clone().where('expires_at', '>', now).first()
    if (live) return live.answer
    if (await db('secrets').where({ id: secret.id }).first('id')) throw error
    // The earlier replay has expired. Other callers may be here too: the first one to insert wins.
    await earlier.where('expires_at', '<=', now).delete()
    return createSingle(db, margin, input)
  }
}

/** Creates secrets that have no files and no earlier replay. The others must run alone. */
async function createBatch(
  { tx }: BatchTransaction,
  margin: string,
  inputs: CreateInput[],
): Promise<(null | typeof RUN_SINGLE)[]> {
  const keys = inputs.flatMap(({ replay }) => replay?.keyHash ?? [])
  const known = new Set(keys.length > 0 ? await tx('replays').whereIn('key_hash', keys).pluck('key_hash') : [])
  const isNew = ({ replay, files }: CreateInput) => files.length === 0 && !(replay && known.has(replay.keyHash))
  const fresh = inputs.filter(isNew)
  if (fresh.length > 0) await insertSecrets(tx, margin, fresh)
  return inputs.map((input) => (isNew(input) ? null : RUN_SINGLE))
}

/** Inserts replays first and in key order, because the second of two transactions with the same key waits for the first. */
async function insertSecrets(tx: Knex.Transaction, margin: string, inputs: CreateInput[]): Promise<void> {
  const replays = inputs.flatMap(({ replay }) => (replay ? [toReplayRow(replay)] : []))
  if (replays.length > 0) await tx('replays').insert(replays.sort((a, b) => (a.key_hash < b.key_hash ? -1 : 1)))
  await tx('secrets').insert(inputs.map(({ secret }) => toSecretRow(secret)))
  await tx('texts').insert(inputs.map(({ secret: { id, text } }) => ({ secret_id: id, margin, text })))
}
