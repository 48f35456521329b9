/** Emits events to the listeners of core and of the plugins. */

import type { Emit, Events, Listeners } from '../contracts/events.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'
import type { ResponseTracker } from '../lib/response-tracker.js'
import { createListenerQueue } from './listener-queue.js'

/** The listeners of one plugin. */
export interface PluginListeners {
  plugin: string
  on?: Listeners | undefined
  beforeResponse?: Listeners | undefined
}

interface Parts {
  /** Listeners of core. They are fast, and run at once. */
  own: Listeners[]
  plugins: PluginListeners[]
  responses: Pick<ResponseTracker, 'waitUntilSettled'>
  log: Log
}

export interface Emitter {
  /** Resolves when the `beforeResponse` listeners have ended. Never rejects: the failure of a listener is logged. */
  emit: Emit
  /** Waits for queued events, for a limited time. */
  stop(): Promise<void>
}

/**
 * Calls the listeners of core, then the listeners that the response waits for, in the given order. Queues the event for
 * all others.
 */
export function createEmitter({ own, plugins, responses, log }: Parts): Emitter {
  const awaited = [
    ...own.map((listeners) => ({ plugin: undefined, listeners })),
    ...plugins.map(({ plugin, beforeResponse }) => ({ plugin, listeners: beforeResponse ?? {} })),
  ]
  const queues = plugins.flatMap(({ plugin, on }) =>
    on ? createListenerQueue({ plugin, listeners: on, responses, log }) : [],
  )

  async function emit<E extends keyof Events>(name: E, event: Events[E]): Promise<void> {
    for (const { add } of queues) add(name, event)
    for (const { plugin, listeners } of awaited) {
      const listener = listeners[name]
      if (!listener) continue
      try {
        await listener(event)
      } catch (error) {
        log.error('event listener failed', { plugin, event: name, ...describeCause(error) })
      }
    }
  }

  return { emit, stop: async () => void (await Promise.all(queues.map(({ stop }) => stop()))) }
}
