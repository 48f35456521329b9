import type { DeliveryOutcome, DurableEvent, Subscriber } from '../contracts/outbox.js'
import { errorName } from '../lib/log.js'

/** Time limit of one attempt. */
const DELIVERY_MS = 15_000
/** In characters. */
const RESULT_MAX = 255

/**
 * Attempts one delivery. Never rejects: an error, and no result in time, count as failed. `stopped`: ends the attempt at once,
 * also if the subscriber ignores its signal.
 */
export async function deliverEvent(
  { deliver }: Subscriber,
  event: DurableEvent,
  stopped?: AbortSignal,
): Promise<DeliveryOutcome> {
  const timeout = AbortSignal.timeout(DELIVERY_MS)
  const signal = AbortSignal.any([timeout, ...(stopped ? [stopped] : [])])
  try {
    signal.throwIfAborted()
    const outcome = await Promise.race([deliver(event, signal), rejectOnAbort(signal)])
    return { ...outcome, result: outcome.result.slice(0, RESULT_MAX) }
  } catch (error) {
    return { isDelivered: false, result: timeout.aborted ? 'timeout' : errorName(error) }
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
