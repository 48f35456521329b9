/** HTTP client of the caller's own webhooks. */
import type { CreateWebhook } from '../api/index.js'
import { CreatedWebhook, PingedWebhook, WebhookDeliveries, Webhooks } from '../response-schemas/webhooks-responses.js'
import { type ClientOptions, createSend } from './client.js'

export function createWebhookClient(options: ClientOptions) {
  const { send, sendWithRetry } = createSend(options)
  const path = (id: string, action = '') => `/account/webhooks/${encodeURIComponent(id)}${action}`
  return {
    /** Newest first. */
    list: () => sendWithRetry({ response: Webhooks, method: 'GET', path: '/account/webhooks' }),
    /** Only this response and the response of `rotate` contain the secret. */
    create: (body: CreateWebhook) =>
      send({ response: CreatedWebhook, method: 'POST', path: '/account/webhooks', body }),
    remove: (id: string) => send({ method: 'DELETE', path: path(id) }),
    /** Creates a new secret. The old one also signs for a day. */
    rotate: (id: string) => send({ response: CreatedWebhook, method: 'POST', path: path(id, '/secret') }),
    /** Sends a test event, once. */
    ping: (id: string) => send({ response: PingedWebhook, method: 'POST', path: path(id, '/ping') }),
    /** Newest first. */
    deliveries: (id: string, { skip, take }: { skip: number; take: number }) =>
      sendWithRetry({
        response: WebhookDeliveries,
        method: 'GET',
        path: path(id, `/deliveries?skip=${skip}&take=${take}`),
      }),
    redeliver: (id: string, delivery: string) =>
      send({ method: 'POST', path: path(id, `/deliveries/${encodeURIComponent(delivery)}/redelivery`) }),
  }
}
