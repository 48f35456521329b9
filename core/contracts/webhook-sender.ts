/** Contract of a plugin that sends events to the webhooks of single users, such as `webhook`. */
import type { DeliveryOutcome, DurableEvent } from './outbox.js'

/** Where an event goes, and what signs it. */
export interface WebhookDestination {
  url: string
  /** Signing secrets in the format of Standard Webhooks: `whsec_` and Base64. Each of them signs. */
  secrets: string[]
}

/** Plugins return it in the hook `userWebhooks`. Users choose the URLs, so it must not reach services of the internal network. */
export interface WebhookSender {
  /** Maximum number of webhooks of one user. */
  maxPerUser: number
  /** False: the URL can never receive events, such as one with a private address. Without a lookup of its host. */
  isUrlAllowed(url: string): boolean
  /** Sends one event, as `Subscriber.deliver`. */
  send(destination: WebhookDestination, event: DurableEvent, signal: AbortSignal): Promise<DeliveryOutcome>
}
