/**
 * Requests for codes of named recipients. Their data contains an encrypted address, which must not stay in the outbox
 * longer than the code can be used.
 */
import { type DeliveryUpdate, type OutboxEntry, type OutboxStore, QUEUE_FULL } from '../contracts/outbox.js'
import { RECIPIENT_CODE_MINUTES } from '../shared/limits.js'

const TYPE = 'secret.code_requested'
const LIFE_MS = RECIPIENT_CODE_MINUTES * 60_000

/** Deletes the event once it was delivered or skipped. A dead one stays without the address. */
export function forgetAddress(
  { type, data }: Pick<OutboxEntry, 'type' | 'data'>,
  update: DeliveryUpdate,
): DeliveryUpdate {
  if (type !== TYPE || update.state === 'pending') return update
  const rest = JSON.stringify(Object.assign(JSON.parse(data), { address: '', language: null }))
  return Object.assign(update, { data: update.state === 'dead' ? rest : null })
}

/** Deletes up to `limit` events that still have an address, and whose codes could not be used any more. */
export async function deleteLateCodes(outbox: OutboxStore, now: number, limit: number): Promise<number> {
  const before = now - LIFE_MS
  const waiting = await outbox.purge({ type: TYPE, state: 'pending', before }, limit)
  return waiting + (await outbox.purge({ type: TYPE, state: 'dead', result: QUEUE_FULL, before }, limit - waiting))
}
