/** The arithmetic of a limit, the same wherever its counters are kept. */
import type { Take, Taken } from '../contracts/limits.js'

/** A window and how much of it is used. */
export interface Counter {
  used: number
  /** Epoch ms. */
  endsAt: number
}

/** What a take answers, and what the counter is afterwards; null: as it was. `counter` is absent when there was none. */
export function takeFrom(
  counter: Counter | undefined,
  { cost, most, windowMs }: Take,
  now: number,
): { taken: Taken; after: Counter | null } {
  const open = counter && counter.endsAt > now ? counter : { used: 0, endsAt: now }
  const used = open.used + cost
  const granted = used <= most
  if (!granted || cost === 0) return { taken: { granted, ...open }, after: null }
  const after = { used, endsAt: open.endsAt > now ? open.endsAt : now + windowMs }
  return { taken: { granted, ...after }, after }
}
