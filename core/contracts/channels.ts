/** Where durable events go: the contract of the channels that plugins return in the hook `channels`. */
import type { Notification } from './notifications.js'
import type { DeliveryOutcome, DurableEvent, DurableEventType } from './outbox.js'

interface ChannelTo<Message> {
  /**
   * Unique in the instance: lower-case words joined by "-" or ".", up to 56 characters. Keep it: waiting events have
   * this name.
   */
  name: string
  /**
   * Delivers one message. Called at least once for each, by one process at a time, also for several messages at once.
   * An error, and no result after 15 s, count as failed. Failed messages are retried for three days, unless
   * `isPermanent` is set. `signal` is aborted after these 15 s, and when the process stops.
   */
  deliver(message: Message, signal: AbortSignal): Promise<DeliveryOutcome>
}

/** Receives the events of the whole instance, such as a webhook of the operator or a message queue. */
export interface OperatorChannel extends ChannelTo<DurableEvent> {
  to: 'operator'
  /** Default: all types. `ping` is delivered in any case. */
  types?: DurableEventType[]
  /**
   * Called before an event of these types is stored: false stores nothing. Fast, and without side effects. Default: all
   * events.
   */
  accepts?(event: Pick<DurableEvent, 'type' | 'data'>): boolean
}

/** Sends notifications to the e-mail addresses of users, such as `smtp`. */
export interface MailChannel extends ChannelTo<Notification> {
  to: 'user'
  address: 'email'
  /** Checks whether notifications can be sent, without sending one. Throws if not. */
  ping?(): Promise<void>
}

/** An event for the webhook of a user. */
export interface WebhookMessage {
  event: DurableEvent
  url: string
  /** Signing secrets in the format of Standard Webhooks: `whsec_` and Base64. Each of them signs. */
  secrets: string[]
}

/**
 * Sends events to the webhooks that users manage on their account page. Up to one plugin has such a channel. Users
 * choose the URLs, so it must not reach services of the internal network.
 */
export interface WebhookChannel extends ChannelTo<WebhookMessage> {
  to: 'user'
  address: 'webhook'
  /** Maximum number of webhooks of one user. */
  maxPerUser: number
  /** False: the URL can never receive events, such as one with a private address. Without a lookup of its host. */
  isUrlAllowed(url: string): boolean
}

/** A receiver of durable events: a channel of the operator, or a channel that sends notifications. */
export type Subscriber = Omit<OperatorChannel, 'to'>

export type Channel = OperatorChannel | MailChannel | WebhookChannel

/** The channels of an instance. */
export interface Channels {
  operators: OperatorChannel[]
  mail: MailChannel[]
  /** null: users have no webhooks. */
  webhooks: WebhookChannel | null
}
