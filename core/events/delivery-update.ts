/** What follows from an attempt to deliver an event. */
import type { DeliveryOutcome, DeliveryUpdate, DurableEvent, OutboxEntry } from '../contracts/outbox.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Wait before each further attempt, about three days in total. After the last one an event is dead. */
export const RETRY_MS = [
  ...[5000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * HOUR_MS),
]

/** The state of a delivery after an attempt that ended at `now` (epoch ms). */
export function toUpdate(
  { id, attempts: before }: OutboxEntry,
  { isDelivered, isPermanent = false, result }: DeliveryOutcome,
  now: number,
): DeliveryUpdate {
  const attempts = before + 1
  const wait = RETRY_MS[before]
  if (isDelivered) return { id, state: 'delivered', attempts, nextAt: now, endedAt: now, result }
  if (wait === undefined || isPermanent) return { id, state: 'dead', attempts, nextAt: now, endedAt: now, result }
  return { id, state: 'pending', attempts, nextAt: now + wait, endedAt: null, result }
}

/** The event of an entry, as subscribers receive it. */
export const toEvent = ({ id, type, createdAt, data }: OutboxEntry): DurableEvent =>
  ({ id, type, at: createdAt, data: JSON.parse(data) }) as DurableEvent
