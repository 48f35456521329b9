/** Creates durable events for the channels. The storage stores them with the changes that they describe. */

import type { App } from '../app.js'
import type { Note } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Subscriber } from '../contracts/channels.js'
import type { DeliveryOutcome, DurableEvent, DurableEventType, OutboxEvent } from '../contracts/outbox.js'
import { describeCause } from '../lib/error-codes.js'
import { AppError, fieldError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { type FactFor, subjectOf } from '../shared/event-catalog.js'
import { announceFacts } from './announce-facts.js'
import { attemptDelivery } from './delivery.js'
import { createEventIds } from './event-ids.js'

type Context = Pick<App, 'channels' | 'webhooks' | 'now'> & {
  background: Pick<App['background'], 'eventLimit' | 'pace'>
}

const nextEventId = createEventIds()

const wants = ({ types }: Subscriber, type: DurableEventType): boolean => types?.includes(type) ?? true

/** False: neither a channel nor a webhook of any user gets events of this type. */
export const isWanted = ({ channels, webhooks }: App, type: DurableEventType): boolean =>
  channels.subscribers.some((each) => wants(each, type)) || webhooks.isWanted(type)

/**
 * Refuses a notification that could not be sent: without an account, or without a channel and a webhook of the caller
 * for these events. Throws AppError `request.invalid`.
 */
export function assertCanNotify(
  { channels, webhooks }: App,
  { userId }: AuthContext,
  ...types: DurableEventType[]
): void {
  if (userId === null) throw fieldError('notify', 'needs an account, which is notified')
  const hasChannel = channels.subscribers.some((each) => types.some((type) => wants(each, type)))
  if (!hasChannel && !webhooks.isWantedBy(userId, ...types))
    throw fieldError('notify', 'this server sends no notifications')
}

/**
 * Events that the transaction of a change stores with it: one for each channel and webhook that wants a fact; empty
 * without a subscriber, so that the storage writes nothing. With too many waiting events it is dead, up to a bound.
 */
export const createEvents = (app: Context, facts: FactFor<'operator'>[]): OutboxEvent[] =>
  facts.flatMap((fact) => createEventsOf(app, fact))

function createEventsOf({ channels, webhooks, background, now }: Context, fact: FactFor<'operator'>): OutboxEvent[] {
  const at = now()
  const { name: type, data } = fact
  const event = { type, data } as Pick<DurableEvent, 'type' | 'data'>
  const accepting = channels.subscribers.filter((each) => wants(each, type) && (each.accepts?.(event) ?? true))
  const admitted = accepting.map(({ name }) => ({ subscriber: name, admission: background.eventLimit.admit(name) }))
  const receivers = [...admitted, ...webhooks.admit(event)].filter(({ admission }) => admission !== 'none')
  background.pace.add(receivers.length)
  if (receivers.length === 0) return []
  const common = { subject: subjectOf(fact), type, data: JSON.stringify(data), createdAt: at }
  return receivers.map(({ subscriber, admission }) => {
    return { id: nextEventId(at), subscriber, ...common, ...(admission === 'dead' && { isQueueFull: true }) }
  })
}

/** Stores the events of facts that are not part of a transaction. Never rejects: a failure is logged. */
export async function storeEvents(app: App, facts: FactFor<'operator'>[]): Promise<void> {
  const events = createEvents(app, facts)
  if (events.length === 0) return
  await app.storage.outbox
    .append(events)
    .catch((error) => app.log.error('events not stored', { events: events.length, ...describeCause(error) }))
}

/** Facts without a change: stores their events in the background, and announces them. Never rejects. */
export function reportFacts(app: App, facts: FactFor<'operator'>[], caller: Note['caller']): Promise<void> {
  void storeEvents(app, facts)
  return announceFacts(app, facts, caller)
}

/** Sends a `ping` to a channel now, and once only. Throws AppError `request.invalid` for an unknown name. */
export async function pingChannel({ channels, now }: App, name: string): Promise<DeliveryOutcome> {
  const subscriber = channels.subscribers.find((each) => each.name === name)
  if (!subscriber) throw new AppError('request.invalid', { message: 'No subscriber has this name.' })
  return attemptDelivery(subscriber, createPing(now()))
}

export const createPing = (at: EpochMs): DurableEvent => ({ id: nextEventId(at), type: 'ping', at, data: {} })
