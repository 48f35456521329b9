import type { Knex } from 'knex'
import type { BatchableWrite } from '../batching/group-commit.js'
import { hasViewsLeft, whereUnexpired } from '../queries/secret-conditions.js'
import { expireFiles } from '../queries/secret-files.js'

interface BurnInput {
  id: string
  /** Epoch ms. */
  now: number
}

export const burnSecret = (db: Knex): BatchableWrite<BurnInput, boolean> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  runSingle: (input) => db.transaction((tx) => deleteSecret(tx, input)),
  async runBatch({ tx }, inputs) {
    const results: boolean[] = []
    for (const input of inputs) results.push(await deleteSecret(tx, input))
    return results
  },
})

async function deleteSecret(tx: Knex.Transaction, { id, now }: BurnInput): Promise<boolean> {
  const deleted = await whereUnexpired(tx('secrets'), now).where({ id }).where(hasViewsLeft).delete()
  if (deleted === 1) await expireFiles(tx, [id], now)
  return deleted === 1
}
