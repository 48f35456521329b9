/** Which webhooks of users get an event. In memory, because every change of a secret reads it. */

import type { DurableEvent, DurableEventType } from '../contracts/outbox.js'
import type { UserEventType, UserSubscriber, UserWebhookStore, UserWebhookTarget } from '../contracts/user-webhooks.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { USER_EVENT_TYPES } from '../shared/user-webhooks.js'
import { type Admission, DEAD_SHARE } from './event-limit.js'

/** After this time every process knows the webhooks that another process has changed. */
const RELOAD_MS = 5000
/** With this number of waiting events, the queue of a webhook is full: further events are dead. */
export const WAITING_MAX = 500
/** Events that one process stores for a webhook in a minute. */
export const EVENTS_PER_MINUTE = 120
const MINUTE_MS = 60_000

export interface UserWebhookIndex {
  /** False: no webhook has selected this type. */
  isWanted(type: DurableEventType): boolean
  /** False: no webhook of this user has selected any of these events. */
  isWantedBy(userId: string, ...types: DurableEventType[]): boolean
  /** Subscribers of a new event: the webhooks of its owner that want it. Call it once for each event. */
  admit(event: Pick<DurableEvent, 'type' | 'data'>): { subscriber: UserSubscriber; admission: Admission }[]
  isEmpty(): boolean
  /** Reads all webhooks. Called at the start, and after a change by another process. */
  reload(): Promise<void>
  /** Call after a change by this process: reads all webhooks, here and in all other processes. */
  invalidate(): Promise<void>
  stop(): void
}

/** The index of an instance without webhooks of users. */
export const NO_USER_WEBHOOKS: UserWebhookIndex = {
  isWanted: () => false,
  isWantedBy: () => false,
  admit: () => [],
  isEmpty: () => true,
  reload: async () => {},
  invalidate: async () => {},
  stop: () => {},
}

export const toSubscriber = (id: string): UserSubscriber => `user:${id}`

interface Parts {
  store: Pick<UserWebhookStore, 'listTargets'>
  /** Notifies the other processes of a change. */
  share(): void
  log: Log
  now: () => EpochMs
}

/** Empty until the first `reload`, then reloaded every `RELOAD_MS`. */
export function createUserWebhookIndex({ store, share, log, now }: Parts): UserWebhookIndex {
  let byUser = new Map<string, UserWebhookTarget[]>()
  let wanted = new Set<DurableEventType>()
  const isWithinFlood = createMinuteLimit(EVENTS_PER_MINUTE, now)
  const canStoreDead = createMinuteLimit(EVENTS_PER_MINUTE * DEAD_SHARE, now)
  const wants = ({ types }: UserWebhookTarget, type: DurableEventType) =>
    isUserEvent(type) && (types.length === 0 || types.includes(type))

  let started = 0
  let applied = 0
  async function reload(): Promise<void> {
    const read = ++started
    const targets = await store.listTargets()
    // Reads that run at the same time may end in another order: an older read must not restore a deleted webhook.
    if (read < applied) return
    applied = read
    byUser = groupByUser(targets)
    wanted = new Set(USER_EVENT_TYPES.filter((type) => targets.some((target) => wants(target, type))))
  }

  const reloadQuietly = () =>
    reload().catch((error) => log.warn('webhooks of users not loaded', { ...describeCause(error) }))
  const timer = setInterval(reloadQuietly, RELOAD_MS).unref()

  return {
    isWanted: (type) => wanted.has(type),
    isWantedBy: (userId, ...types) =>
      types.some((type) => byUser.get(userId)?.some((target) => wants(target, type)) ?? false),
    admit({ type, data }) {
      if (!wanted.has(type) || !('ownerId' in data) || data.ownerId === null) return []
      const targets = byUser.get(data.ownerId) ?? []
      return targets
        .filter((target) => wants(target, type))
        .map(({ id, waiting }) => {
          const subscriber = toSubscriber(id)
          if (waiting < WAITING_MAX && isWithinFlood(id)) return { subscriber, admission: 'pending' }
          return { subscriber, admission: canStoreDead(id) ? 'dead' : 'none' }
        })
    },
    isEmpty: () => byUser.size === 0,
    reload,
    async invalidate() {
      await reload()
      share()
    },
    stop: () => clearInterval(timer),
  }
}

const isUserEvent = (type: DurableEventType): type is UserEventType =>
  (USER_EVENT_TYPES as readonly DurableEventType[]).includes(type)

function groupByUser(targets: UserWebhookTarget[]): Map<string, UserWebhookTarget[]> {
  const groups = new Map<string, UserWebhookTarget[]>()
  for (const target of targets) groups.set(target.userId, [...(groups.get(target.userId) ?? []), target])
  return groups
}

/** Counts the events of each webhook in the current minute. False: `max` is reached. */
function createMinuteLimit(max: number, now: () => number): (id: string) => boolean {
  let minute = 0
  const counts = new Map<string, number>()
  return (id) => {
    const current = Math.floor(now() / MINUTE_MS)
    if (current !== minute) counts.clear()
    minute = current
    const count = counts.get(id) ?? 0
    if (count < max) counts.set(id, count + 1)
    return count < max
  }
}
