/** Creates durable events for the subscribers. The storage stores them with the changes that they describe. */
import type {
  DeliveryOutcome,
  DurableEvent,
  DurableEvents,
  DurableEventType,
  OutboxEvent,
  OutboxStore,
  Subscriber,
} from '../contracts/outbox.js'
import { AppError } from '../lib/errors.js'
import { errorName, type Log } from '../lib/log.js'
import { deliverEvent } from './deliver-event.js'
import type { DeliveryPace } from './delivery-pace.js'
import { createEventIds } from './event-ids.js'
import type { EventLimit } from './event-limit.js'
import type { UserWebhookIndex } from './user-webhook-index.js'

interface Deps {
  subscribers: Subscriber[]
  /** Webhooks of users. They are subscribers for the events of their owner. */
  userWebhooks: Pick<UserWebhookIndex, 'isWanted' | 'isWantedBy' | 'listSubscribers'>
  store: Pick<OutboxStore, 'append'>
  limit: Pick<EventLimit, 'admit'>
  pace: Pick<DeliveryPace, 'add'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface EventService {
  /** Names of the subscribers. */
  subscribers: string[]
  /** False: no subscriber wants any of these events. */
  isWanted(...types: DurableEventType[]): boolean
  /** False: neither a subscriber nor a webhook of this user wants any of these events. */
  canNotify(userId: string, ...types: DurableEventType[]): boolean
  /**
   * The event for each subscriber that wants it; empty without one, so that the storage writes nothing. Counts it as dropped instead for a
   * subscriber with too many waiting events.
   */
  create<Type extends DurableEventType>(type: Type, subject: string, data: DurableEvents[Type]): OutboxEvent[]
  /** Stores events that belong to no change. Resolves at once; a failure is logged. */
  store(events: OutboxEvent[]): void
  /** Sends a `ping` to a subscriber now, and once only. Throws AppError `request.invalid` for an unknown name. */
  ping(subscriber: string): Promise<DeliveryOutcome>
}

export function eventService({ subscribers, userWebhooks, store, limit, pace, log, now }: Deps): EventService {
  const byType = new Map<DurableEventType, Subscriber[]>()
  const subscribersOf = (type: DurableEventType): Subscriber[] => {
    const known = byType.get(type)
    if (known) return known
    const found = subscribers.filter(({ types }) => types?.includes(type) ?? true)
    byType.set(type, found)
    return found
  }
  const hasSubscriber = (types: DurableEventType[]) => types.some((type) => subscribersOf(type).length > 0)
  const nextId = createEventIds()

  return {
    subscribers: subscribers.map(({ name }) => name),
    isWanted: (...types) => hasSubscriber(types) || userWebhooks.isWanted(...types),
    canNotify: (userId, ...types) => hasSubscriber(types) || userWebhooks.isWantedBy(userId, ...types),
    create(type, subject, data) {
      const at = now()
      const event = { type, data } as Pick<DurableEvent, 'type' | 'data'>
      const accepting = subscribersOf(type).filter((subscriber) => subscriber.accepts?.(event) ?? true)
      const admitted = accepting.map(({ name }) => name).filter((name) => limit.admit(name, type, at))
      const receivers = [...admitted, ...userWebhooks.listSubscribers(event)]
      pace.add(receivers.length)
      if (receivers.length === 0) return []
      const common = { subject, type, data: JSON.stringify(data), createdAt: at }
      return receivers.map((subscriber) => ({ id: nextId(at), subscriber, ...common }))
    },
    store(events) {
      if (events.length === 0) return
      const count = events.length
      store.append(events).catch((error) => log.error('events not stored', { events: count, error: errorName(error) }))
    },
    async ping(name) {
      const subscriber = subscribers.find((each) => each.name === name)
      if (!subscriber) throw new AppError('request.invalid', { message: 'No subscriber has this name.' })
      const event: DurableEvent = { id: nextId(now()), type: 'ping', at: now(), data: {} }
      return deliverEvent(subscriber, event)
    },
  }
}
