/** Creates the parts that store and deliver durable events. */
import type { App } from './app.js'
import type { Channels } from './contracts/channels.js'
import { startDelivery, toGroup } from './events/delivery.js'
import { createPace } from './events/delivery-pace.js'
import { startEventLimit } from './events/event-limit.js'
import { createUserWebhookIndex, NO_USER_WEBHOOKS } from './events/user-webhook-index.js'
import { subscribeMail } from './notifications/send-notifications.js'
import { createWebhookGroup } from './webhooks/webhook-targets.js'

interface Parts extends Pick<App, 'storage' | 'config' | 'log' | 'now'> {
  /** Called when an event is delivered, not before. */
  getApp(): App
  channels: Channels
  /** Notifies the other processes of a change of the webhooks of users. */
  shareWebhooks(): void
}

type EventParts = Pick<App, 'channels' | 'webhooks'> & Pick<App['background'], 'pace' | 'eventLimit' | 'delivery'>

/** Also starts the delivery and the event limit. */
export function composeEvents(parts: Parts): EventParts {
  const { getApp, storage, config, channels, shareWebhooks: share, log, now } = parts
  const subscribers = [...channels.operators, ...channels.mail.map((channel) => subscribeMail(getApp, channel))]
  const webhookGroups = channels.webhooks ? [createWebhookGroup(getApp, channels.webhooks)] : []
  const groups = [...subscribers.map(toGroup), ...webhookGroups]
  const pace = createPace(now)
  return {
    channels: { ...channels, subscribers },
    webhooks: channels.webhooks
      ? createUserWebhookIndex({ store: storage.userWebhooks, share, log, now })
      : NO_USER_WEBHOOKS,
    pace,
    eventLimit: startEventLimit({
      store: storage.outbox,
      subscribers: subscribers.map(({ name }) => name),
      max: config.maxWaitingEvents,
      pace,
      log,
      now,
    }),
    delivery: startDelivery({ storage, groups, pace, log, now }),
  }
}
