import type { Knex } from 'knex'
import { endFiles } from './attachments.js'
import type { Kind, Shared } from './batch.js'
import { hasViewsLeft, live } from './conditions.js'

interface Burn {
  id: string
  /** Epoch ms. */
  now: number
}

export const burning = (db: Knex): Kind<Burn, boolean> => ({
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  bytes: () => 0,
  alone: (burn) => db.transaction((tx) => destroy(tx, burn)),
  async together({ tx }: Shared, burns) {
    const answers: boolean[] = []
    for (const burn of burns) answers.push(await destroy(tx, burn))
    return answers
  },
})

async function destroy(tx: Knex.Transaction, { id, now }: Burn): Promise<boolean> {
  const burned = await live(tx('secrets'), now).where({ id }).where(hasViewsLeft).delete()
  if (burned === 1) await endFiles(tx, [id], now)
  return burned === 1
}
