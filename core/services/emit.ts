/** Emits events to the listeners of the plugins. */
import type { Emit, Listeners } from '../contracts/events.js'
import { errorName, type Log } from '../lib/log.js'

/** Calls the listeners in the given order and awaits each. Never rejects: the failure of a listener is logged. */
export function createEmit(listeners: Listeners[], log: Log): Emit {
  return async (name, event) => {
    for (const { [name]: listener } of listeners) {
      if (!listener) continue
      try {
        await listener(event)
      } catch (error) {
        log.error('event listener failed', { event: name, error: errorName(error) })
      }
    }
  }
}
