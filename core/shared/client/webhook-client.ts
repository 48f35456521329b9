/** HTTP client of the caller's own webhooks. */
import type { CreatedWebhook, CreateWebhook, PingedWebhook, Webhook, WebhookDelivery } from '../api/index.js'
import { type ClientOptions, createSend } from './client.js'

export function createWebhookClient(options: ClientOptions) {
  const { send, sendWithRetry } = createSend(options)
  const path = (id: string, action = '') => `/account/webhooks/${encodeURIComponent(id)}${action}`
  return {
    /** Newest first. */
    list: () => sendWithRetry<Webhook[]>({ method: 'GET', path: '/account/webhooks' }),
    /** The only response with the secret, beside that of `rotate`. */
    create: (body: CreateWebhook) => send<CreatedWebhook>({ method: 'POST', path: '/account/webhooks', body }),
    remove: (id: string) => send<void>({ method: 'DELETE', path: path(id) }),
    /** Creates a new secret. The old one also signs for a day. */
    rotate: (id: string) => send<CreatedWebhook>({ method: 'POST', path: path(id, '/secret') }),
    /** Sends a test event, once. */
    ping: (id: string) => send<PingedWebhook>({ method: 'POST', path: path(id, '/ping') }),
    /** Newest first. */
    deliveries: (id: string, { skip, take }: { skip: number; take: number }) =>
      sendWithRetry<WebhookDelivery[]>({ method: 'GET', path: path(id, `/deliveries?skip=${skip}&take=${take}`) }),
    redeliver: (id: string, delivery: string) =>
      send<void>({ method: 'POST', path: path(id, `/deliveries/${encodeURIComponent(delivery)}/redelivery`) }),
  }
}
