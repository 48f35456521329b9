/** Events: told to every listener in turn and awaited; a failing listener is logged and changes nothing. */
import type { Log } from './log.js'
import type { Events, Listeners } from './plugin.js'

export type Emit = <E extends keyof Events>(name: E, event: Events[E]) => Promise<void>

/** Tells the listeners in the order given. Never rejects. */
export function createEmit(listeners: Listeners[], log: Log): Emit {
  return async (name, event) => {
    for (const { [name]: listener } of listeners) {
      try {
        await listener?.(event)
      } catch (error) {
        log.error('a listener failed', { event: name, error: error instanceof Error ? error.name : 'unknown' })
      }
    }
  }
}
