/** Creating: a secret with its text, its replay and its files, all or nothing. */
import type { Knex } from 'knex'
import type { Binding, Replay, Secret } from '#core'
import { bindFiles } from './attachments.js'
import { ALONE, type Kind, type Shared } from './batch.js'
import { isDuplicate } from './errors.js'
import { toReplayRow, toSecretRow } from './rows.js'

interface Create {
  secret: Secret
  /** Epoch ms. */
  now: number
  replay: Replay | undefined
  files: Binding[]
}

/** `margin` is stored before every text; see Engine. */
export const creating = (db: Knex, margin: string): Kind<Create, string | null> => ({
  secretId: () => null,
  keys: ({ secret, replay }) => (replay ? [secret.id, replay.keyHash] : [secret.id]),
  bytes: ({ secret }) => secret.text.length + margin.length,
  alone: (create) => createAlone(db, margin, create),
  together: (shared, creates) => createTogether(shared, margin, creates),
})

async function createAlone(db: Knex, margin: string, create: Create): Promise<string | null> {
  const { secret, now, replay, files } = create
  try {
    await db.transaction(async (tx) => {
      await insert(tx, margin, [create])
      await bindFiles(tx, secret, files, now)
    })
    return null
  } catch (error) {
    if (!replay || !isDuplicate(error)) throw error
    const earlier = db('replays').where({ key_hash: replay.keyHash })
    const first = await earlier.clone().where('expires_at', '>', now).first()
    if (first) return first.answer
    if (await db('secrets').where({ id: secret.id }).first('id')) throw error
    // What is in the way has ended. Others may be here too: whoever stores first wins.
    await earlier.where('expires_at', '<=', now).delete()
    return createAlone(db, margin, create)
  }
}

/** The same for secrets without files, whose replays are new. Others have to run alone. */
async function createTogether({ tx }: Shared, margin: string, creates: Create[]): Promise<(null | typeof ALONE)[]> {
  const keys = creates.flatMap(({ replay }) => replay?.keyHash ?? [])
  const known = new Set(keys.length > 0 ? await tx('replays').whereIn('key_hash', keys).pluck('key_hash') : [])
  const isNew = ({ replay, files }: Create) => files.length === 0 && !(replay && known.has(replay.keyHash))
  const fresh = creates.filter(isNew)
  if (fresh.length > 0) await insert(tx, margin, fresh)
  return creates.map((create) => (isNew(create) ? null : ALONE))
}

/** Replays in the order of their keys, because of two with one key the second one waits for the first. */
async function insert(tx: Knex.Transaction, margin: string, creates: Create[]): Promise<void> {
  const replays = creates.flatMap(({ replay }) => (replay ? [toReplayRow(replay)] : []))
  if (replays.length > 0) await tx('replays').insert(replays.sort((a, b) => (a.key_hash < b.key_hash ? -1 : 1)))
  await tx('secrets').insert(creates.map(({ secret }) => toSecretRow(secret)))
  await tx('texts').insert(creates.map(({ secret: { id, text } }) => ({ secret_id: id, margin, text })))
}
