import { type BurnInput, isOpen, isUsedUp } from '#core'
import type { BatchableWrite, BatchTransaction } from '../batching/group-commit.js'
import { assertAllChanged, type LockedSecret } from '../queries/lock-secrets.js'
import { insertEvents } from '../queries/new-events.js'
import { recordEnds } from '../queries/record-ends.js'
import { isBurnable } from '../queries/secret-conditions.js'
import { expireFiles } from '../queries/secret-files.js'
import { endReceipts } from '../queries/write-receipts.js'

/** Deletes a secret and ends its files, also a used-up secret with open claims or files. */
export const burnSecret: BatchableWrite<BurnInput, boolean> = {
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch(batch, inputs) {
    const { tx, secrets } = batch
    const burnable = await selectBurnable(batch, inputs)
    if (burnable.length > 0) {
      const ids = burnable.map(({ id }) => id)
      assertAllChanged(await tx('secrets').whereIn('id', ids).delete(), burnable)
    }
    for (const { id, now } of burnable) if (secrets.get(id)?.files) await expireFiles(tx, [id], now)
    const toEnd = ({ id, now }: BurnInput) => ({ secret: secrets.get(id) as LockedSecret, at: now })
    await endReceipts(tx, 'burned', burnable.map(toEnd))
    await recordEnds(tx, 'burned', burnable.filter(({ recordsEnd }) => recordsEnd).map(toEnd))
    const events = burnable.flatMap((input) => input.events ?? [])
    await insertEvents(tx, events)
    return inputs.map((input) => burnable.includes(input))
  },
}

async function selectBurnable({ tx, secrets }: BatchTransaction, inputs: BurnInput[]): Promise<BurnInput[]> {
  const burnable: BurnInput[] = []
  for (const input of inputs) {
    const { id, now } = input
    const secret = secrets.get(id)
    if (!secret) continue
    const isRemaining = isUsedUp(secret) && (await tx('secrets').where({ id }).where(isBurnable(tx, now)).first('id'))
    if (isOpen(secret, now) || isRemaining) burnable.push(input)
  }
  return burnable
}
