/** Which webhooks of users get an event. In memory, because it is asked in every change of a secret. */
import type { DurableEvent, DurableEventType } from '../contracts/outbox.js'
import type { UserEventType, UserSubscriber, UserWebhookStore, UserWebhookTarget } from '../contracts/user-webhooks.js'
import { errorName, type Log } from '../lib/log.js'
import { USER_EVENT_TYPES } from '../shared/user-webhooks.js'
import type { UserWebhookDrops } from './user-webhook-drops.js'

/** After this time every process knows the webhooks that another one has changed. */
const RELOAD_MS = 5000
/** With this number of waiting events, a webhook gets no further ones, but a summary of them. */
export const WAITING_MAX = 500
/** Events that one process stores for a webhook in a minute. */
export const EVENTS_PER_MINUTE = 120
const MINUTE_MS = 60_000

export interface UserWebhookIndex {
  /** False: no webhook wants any of these events. */
  isWanted(...types: DurableEventType[]): boolean
  /** False: no webhook of this user wants any of these events. */
  isWantedBy(userId: string, ...types: DurableEventType[]): boolean
  /** Subscribers of a new event: the webhooks of its owner that want it. Counts it as dropped for those that are full. */
  listSubscribers(event: Pick<DurableEvent, 'type' | 'data'>): UserSubscriber[]
  isEmpty(): boolean
  /** Reads all webhooks. Called at the start, and after each change. */
  reload(): Promise<void>
  stop(): void
}

/** The index of an instance without webhooks of users. */
export const NO_USER_WEBHOOKS: UserWebhookIndex = {
  isWanted: () => false,
  isWantedBy: () => false,
  listSubscribers: () => [],
  isEmpty: () => true,
  reload: async () => {},
  stop: () => {},
}

export const toSubscriber = (id: string): UserSubscriber => `user:${id}`

interface Deps {
  store: Pick<UserWebhookStore, 'listTargets'>
  /** Undefined: the storage cannot count dropped events. */
  drops: Pick<UserWebhookDrops, 'add'> | undefined
  log: Log
  /** Epoch ms. */
  now: () => number
}

/** Empty until the first `reload`, then reloaded every `RELOAD_MS`. */
export function createUserWebhookIndex({ store, drops, log, now }: Deps): UserWebhookIndex {
  let byUser = new Map<string, UserWebhookTarget[]>()
  let wanted = new Set<DurableEventType>()
  const hasRoom = createFloodLimit(now)
  const wants = ({ types }: UserWebhookTarget, type: DurableEventType) =>
    isUserEvent(type) && (types.length === 0 || types.includes(type))

  async function reload(): Promise<void> {
    const targets = await store.listTargets()
    byUser = groupByUser(targets)
    wanted = new Set(USER_EVENT_TYPES.filter((type) => targets.some((target) => wants(target, type))))
  }

  const reloadQuietly = () =>
    reload().catch((error) => log.warn('webhooks of users not loaded', { error: errorName(error) }))
  const timer = setInterval(reloadQuietly, RELOAD_MS).unref()

  return {
    isWanted: (...types) => types.some((type) => wanted.has(type)),
    isWantedBy: (userId, ...types) =>
      types.some((type) => byUser.get(userId)?.some((target) => wants(target, type)) ?? false),
    listSubscribers({ type, data }) {
      if (!wanted.has(type) || !('ownerId' in data) || data.ownerId === null) return []
      const targets = byUser.get(data.ownerId) ?? []
      return targets
        .filter((target) => wants(target, type))
        .filter(({ id, waiting }) => {
          const isAdmitted = waiting < WAITING_MAX && hasRoom(id)
          if (!isAdmitted) drops?.add(toSubscriber(id), type)
          return isAdmitted
        })
        .map(({ id }) => toSubscriber(id))
    },
    isEmpty: () => byUser.size === 0,
    reload,
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

/** Counts the events of each webhook in the current minute. False: it had enough. */
function createFloodLimit(now: () => number): (id: string) => boolean {
  let minute = 0
  const counts = new Map<string, number>()
  return (id) => {
    const current = Math.floor(now() / MINUTE_MS)
    if (current !== minute) counts.clear()
    minute = current
    const count = counts.get(id) ?? 0
    if (count < EVENTS_PER_MINUTE) counts.set(id, count + 1)
    return count < EVENTS_PER_MINUTE
  }
}
