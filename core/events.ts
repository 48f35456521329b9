/** Events: told to every listener in turn and awaited; a failing listener is logged and changes nothing. */
import type { Log } from './log.js'

/** Told after the fact; cannot veto; never carries a text, a key or a password. */
export interface Events {
  'secret:created': { id: string; ownerId: string | null; expiresAt: number }
  'secret:viewed': { id: string; viewsLeft: number | null }
  'secret:burned': { id: string; reason: 'last-view' | 'request' | 'expired' }
}

export type Listeners = { [E in keyof Events]?: (event: Events[E]) => void | Promise<void> }

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
