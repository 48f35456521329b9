/** Counts of events that were not stored. */
import type { DroppedEvents, DurableEventType } from '../contracts/outbox.js'

/** The sum of both, as one summary. */
export function mergeDropped(a: DroppedEvents, b: DroppedEvents): DroppedEvents {
  const types = { ...a.types }
  for (const [type, count] of Object.entries(b.types) as [DurableEventType, number][]) {
    types[type] = (types[type] ?? 0) + count
  }
  const [firstAt, lastAt] = [Math.min(a.firstAt, b.firstAt), Math.max(a.lastAt, b.lastAt)]
  return { count: a.count + b.count, firstAt, lastAt, types }
}
