/** Events: told to every listener in turn and awaited; a failing listener is logged and changes nothing. */
import type { Note } from './contracts/audit.js'
import { errorName, type Log } from './log.js'

/** Told after the fact; cannot veto; never carries a text, a key or a password. */
export interface Events {
  'secret:created': {
    id: string
    ownerId: string | null
    expiresAt: number
    kind: 'sealed' | 'raw' | 'public'
    /** How many. */
    files: number
    hasPassword: boolean
    hasAllowedIp: boolean
  }
  /** `views`: so far, with this one. `age`: of the secret, in ms. */
  'secret:viewed': { id: string; viewsLeft: number | null; views: number; age: number }
  'secret:burned': { id: string; reason: 'last-view' | 'request' | 'expired' }
  'user:created': { id: string; username: string; provider: string }
  'user:deleted': { id: string; username: string }
  /** `route`: the pattern, never the address, or `page`. `ms`: until the answer began. */
  'request:answered': { method: string; route: string; status: number; ms: number }
  /** `secrets`: how many had expired. */
  'sweep:finished': { secrets: number; ms: number }
}

export type Listeners = { [E in keyof Events]?: (event: Events[E]) => void | Promise<void> }

/** `by`: whose doing it was. For the audit alone; no listener is told. */
export type Emit = <E extends keyof Events>(name: E, event: Events[E], by?: Note['caller']) => Promise<void>

/** Tells the listeners in the order given. Never rejects. */
export function createEmit(listeners: Listeners[], log: Log): Emit {
  return async (name, event) => {
    for (const { [name]: listener } of listeners) {
      if (!listener) continue
      try {
        await listener(event)
      } catch (error) {
        log.error('a listener failed', { event: name, error: errorName(error) })
      }
    }
  }
}
