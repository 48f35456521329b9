/** Converts durable events to notifications of users. */
import type { Notification, NotificationType } from '../contracts/notifications.js'
import type { DurableEvent, DurableEventType } from '../contracts/outbox.js'
import { listFacts } from '../shared/event-catalog.js'

type NotifiableEvent = Extract<DurableEvent, { type: NotificationType }>

/** Types of the events that become messages in any case: about the account itself, and codes for recipients. */
const UNCONDITIONAL: DurableEventType[] = [...listFacts('account'), ...listFacts('recipient')]

/** True for an event that a notifier delivers. */
export const isAccepted = (event: Pick<DurableEvent, 'type' | 'data'>): boolean =>
  UNCONDITIONAL.includes(event.type) || isWorthNotifying(event)

/** Types of the events for which an owner can ask for notifications. */
export const NOTIFIABLE: NotifiableEvent['type'][] = listFacts('notify')

/** Types of the events that a notifier subscribes to. */
export const SUBSCRIBED: DurableEventType[] = [...NOTIFIABLE, ...UNCONDITIONAL]

/** Of a secret with many views, the owner is notified of these views and of the last one. */
const VIEWS_MAX = 10

/** True if the owner asked for notifications, and the event sends one. */
export function isWorthNotifying(event: Pick<DurableEvent, 'type' | 'data'>): boolean {
  const { type, data } = event as NotifiableEvent
  if (!NOTIFIABLE.includes(type) || !data.notify || data.ownerId === null) return false
  if (type === 'secret.viewed') return data.views <= VIEWS_MAX || data.viewsLeft === 0
  // The last view was reported as such.
  if (type === 'secret.burned') return data.reason === 'request'
  return type !== 'secret.expired' || data.views === 0
}

/** A notification without its recipient, and the user who gets it. null for an event without a notification. */
export function toNotification(
  event: DurableEvent,
): { ownerId: string; content: Pick<Notification, 'id' | 'type' | 'at' | 'data'> } | null {
  if (!isWorthNotifying(event)) return null
  const { id, type, at, data } = event as NotifiableEvent
  const { ownerId, notify: _, ...rest } = data
  return ownerId === null ? null : { ownerId, content: { id, type, at, data: rest } }
}
