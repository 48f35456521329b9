import type { Knex } from 'knex'
import { isUsedUp } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import type { BatchableWrite } from '../batching/group-commit.js'
import type { Queries } from '../connection/batch-transaction.js'
import { matchesClaims, openClaims } from '../queries/secret-conditions.js'
import { deleteUnlessFilesLive } from '../queries/secret-files.js'

interface AckInput {
  id: string
  claimHash: string
  now: EpochMs
}

/**
 * Acknowledges a claim. If the secret is used up without open claims, deletes it, or only its text while it has files.
 */
export const ackSecret: BatchableWrite<AckInput, boolean> = {
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch({ tx, secrets }, inputs) {
    const known = await acknowledge(tx, inputs)
    const usedUp = known.filter(({ id, now }) => {
      const secret = secrets.get(id)
      return secret && secret.expiresAt > now && isUsedUp(secret)
    })
    const hasFiles = ({ id }: AckInput) => (secrets.get(id)?.files ?? 0) > 0
    const deleted = await deleteWithoutOpenClaims(
      tx,
      usedUp.filter((input) => !hasFiles(input)),
    )
    for (const { id, now } of usedUp.filter(hasFiles)) {
      const isClaimed = await tx('secrets').where({ id }).whereExists(openClaims(tx, now)).first('id')
      if (!isClaimed && (await deleteUnlessFilesLive(tx, id, now))) deleted.add(id)
    }
    return inputs.map(({ id }) => deleted.has(id))
  },
}

/**
 * Returns the inputs whose claims exist. Keeps these claims until their secret expires: a deleted claim would count
 * again.
 */
async function acknowledge(tx: Queries, inputs: AckInput[]): Promise<AckInput[]> {
  const expiresAt = tx('secrets').where('id', tx.ref('claims.secret_id')).select('expires_at')
  const updated = await tx('claims').where(matchesClaims(inputs)).update({ acked: true, expires_at: expiresAt })
  if (updated === inputs.length) return inputs
  if (updated === 0) return []
  const ids = new Set(await tx('claims').where(matchesClaims(inputs)).pluck('secret_id'))
  return inputs.filter(({ id }) => ids.has(id))
}

/** Returns the ids of the deleted secrets. The conditions of each input apply at its own time. */
async function deleteWithoutOpenClaims(tx: Queries, inputs: AckInput[]): Promise<Set<string>> {
  if (inputs.length === 0) return new Set()
  const ids = inputs.map(({ id }) => id)
  const deletable = (query: Knex.QueryBuilder) => {
    for (const { id, now } of inputs) query.orWhere((one) => one.where({ id }).whereNotExists(openClaims(tx, now)))
  }
  const deleted = await tx('secrets').where(deletable).delete()
  if (deleted === ids.length) return new Set(ids)
  if (deleted === 0) return new Set()
  const left = new Set(await tx('secrets').whereIn('id', ids).pluck('id'))
  return new Set(ids.filter((id) => !left.has(id)))
}
