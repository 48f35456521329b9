/** Queues the events of one plugin and calls its listeners after the responses, one event at a time. */

import type { Events, Listeners } from '../contracts/events.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'
import type { ResponseTracker } from '../lib/response-tracker.js'
import { TimeoutError, withTimeout } from '../shared/with-timeout.js'

/** Time limit of one listener call, and of the queued events when the process stops. */
export const LISTENER_MS = 5000
/** Limit of queued events. Further events are dropped and counted. */
const QUEUE_MAX = 10_000
/** A download may last for hours: listeners do not wait longer for open responses. */
const RESPONSES_MS = 1000

interface Parts {
  plugin: string
  listeners: Listeners
  responses: Pick<ResponseTracker, 'waitUntilSettled'>
  log: Log
  /** Default: `LISTENER_MS`. */
  timeoutMs?: number
}

export interface ListenerQueue {
  /** Returns at once. */
  add<E extends keyof Events>(name: E, event: Events[E]): void
  /** Waits for the queued events, up to the time limit of one listener. Never rejects. */
  stop(): Promise<void>
}

export function createListenerQueue({
  plugin,
  listeners,
  responses,
  log,
  timeoutMs = LISTENER_MS,
}: Parts): ListenerQueue {
  let waiting: { name: keyof Events; call(): void | Promise<void> }[] = []
  let running: Promise<void> | null = null
  let dropped = 0

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const { length } = waiting
      await responses.waitUntilSettled(RESPONSES_MS)
      for (const { name, call } of takeFirst(length)) await callListener({ plugin, log, timeoutMs }, name, call)
      reportDropped()
    }
    running = null
  }

  /** Takes the events one at a time, because `stop` drops the rest. */
  function* takeFirst(count: number) {
    for (let taken = 0; taken < count; taken++) {
      const first = waiting.shift()
      if (first) yield first
    }
  }

  function reportDropped(): void {
    if (dropped > 0) log.error('events dropped', { plugin, events: dropped })
    dropped = 0
  }

  return {
    add(name, event) {
      const listener = listeners[name]
      if (!listener) return
      if (waiting.length >= QUEUE_MAX) {
        dropped++
        return
      }
      waiting.push({ name, call: () => listener(event) })
      running ??= run()
    },
    async stop() {
      await withTimeout(timeoutMs, Promise.resolve(running)).catch(() => {})
      dropped += waiting.length
      waiting = []
      reportDropped()
    },
  }
}

async function callListener(
  { plugin, log, timeoutMs }: Pick<Parts, 'plugin' | 'log'> & { timeoutMs: number },
  name: keyof Events,
  call: () => void | Promise<void>,
): Promise<void> {
  try {
    const result = call()
    if (result) await withTimeout(timeoutMs, result)
  } catch (error) {
    const msg = error instanceof TimeoutError ? 'event listener timed out' : 'event listener failed'
    log.error(msg, { plugin, event: name, ...describeCause(error) })
  }
}
