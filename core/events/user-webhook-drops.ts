/**
 * Counts the events that webhooks of users did not get because too many wait or came in a minute. Each webhook receives one summary of
 * them, as the subscribers of plugins do: see event-limit.ts.
 */
import type { DroppedEventStore, DroppedEvents, DurableEventType, OutboxStore } from '../contracts/outbox.js'
import type { UserSubscriber } from '../contracts/user-webhooks.js'
import { errorName, type Log } from '../lib/log.js'
import { mergeDropped } from './dropped-events.js'
import { createEventIds } from './event-ids.js'

/** How often each process stores its counts. One that is killed loses those since then. */
const SAVE_MS = 1000
/** How often each process looks for summaries that can be delivered, also for those of processes that have ended. */
const RELEASE_MS = 5000
/** A summary is delivered when no process has added to it for this time. */
const QUIET_MS = 5000
/** Number of summaries that are looked at together. */
const SUMMARIES_MAX = 1000

interface Deps {
  store: DroppedEventStore
  outbox: Pick<OutboxStore, 'list'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface UserWebhookDrops {
  /** Counts an event that a webhook does not get. Returns at once. */
  add(subscriber: UserSubscriber, type: DurableEventType): void
  /** Stores the counts of this process, and makes complete summaries due. Never rejects. */
  run(): Promise<void>
  /** Stores the counts of this process. */
  stop(): Promise<void>
}

export function startUserWebhookDrops({ store, outbox, log, now }: Deps): UserWebhookDrops {
  const unsaved = new Map<string, DroppedEvents>()
  const nextId = createEventIds()
  let nextReleaseAt = 0
  let running: Promise<void> | null = null

  function count(subscriber: string, dropped: DroppedEvents): void {
    const known = unsaved.get(subscriber)
    unsaved.set(subscriber, known ? mergeDropped(known, dropped) : dropped)
  }

  /** Counts that could not be stored are kept for the next time. */
  async function save(): Promise<void> {
    for (const [subscriber, dropped] of [...unsaved]) {
      unsaved.delete(subscriber)
      await store.add(subscriber, dropped).catch((error) => {
        count(subscriber, dropped)
        throw error
      })
    }
  }

  async function release(): Promise<void> {
    if (now() < nextReleaseAt) return
    nextReleaseAt = now() + RELEASE_MS
    const summaries = await outbox.list({ state: 'counting' }, { skip: 0, take: SUMMARIES_MAX })
    for (const { subscriber } of summaries) {
      if (subscriber.startsWith('user:')) await store.release(subscriber, nextId(now()), now(), now() - QUIET_MS)
    }
  }

  const run = () => {
    running ??= save()
      .then(release)
      .catch((error) => log.warn('dropped events of webhooks not stored', { error: errorName(error) }))
      .finally(() => {
        running = null
      })
    return running
  }
  const timer = setInterval(run, SAVE_MS).unref()
  return {
    add: (subscriber, type) => count(subscriber, { count: 1, firstAt: now(), lastAt: now(), types: { [type]: 1 } }),
    run,
    async stop() {
      clearInterval(timer)
      await running
      await save()
    },
  }
}
