import { isOpen } from '#core'
import type { BatchableWrite } from '../batching/group-commit.js'
import { assertAllChanged } from '../queries/lock-secrets.js'
import { expireFiles } from '../queries/secret-files.js'

interface BurnInput {
  id: string
  /** Epoch ms. */
  now: number
}

/** Deletes a secret and ends its files. */
export const burnSecret: BatchableWrite<BurnInput, boolean> = {
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch({ tx, secrets }, inputs) {
    const open = inputs.filter(({ id, now }) => {
      const secret = secrets.get(id)
      return secret && isOpen(secret, now)
    })
    if (open.length > 0) {
      const deleted = await tx('secrets')
        .whereIn(
          'id',
          open.map(({ id }) => id),
        )
        .delete()
      assertAllChanged(deleted, open)
    }
    for (const { id, now } of open) if (secrets.get(id)?.files) await expireFiles(tx, [id], now)
    return inputs.map((input) => open.includes(input))
  },
}
