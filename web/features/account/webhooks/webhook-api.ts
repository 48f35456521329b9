/** API requests of users about their own webhooks. */
import type { CreatedWebhook, CreateWebhook, PingedWebhook, Webhook, WebhookDelivery } from '#shared/api'
import { requestJson } from '../../../lib/api.js'

const path = (id: string, action = '') => `/account/webhooks/${encodeURIComponent(id)}${action}`

export const webhookApi = {
  list: () => requestJson<Webhook[]>({ method: 'GET', path: '/account/webhooks' }),
  /** The only response with the signing secret, beside that of `rotate`. */
  create: (body: CreateWebhook) => requestJson<CreatedWebhook>({ method: 'POST', path: '/account/webhooks', body }),
  remove: (id: string) => requestJson<void>({ method: 'DELETE', path: path(id) }),
  rotate: (id: string) => requestJson<CreatedWebhook>({ method: 'POST', path: path(id, '/secret') }),
  /** Sends a test event, once. */
  ping: (id: string) => requestJson<PingedWebhook>({ method: 'POST', path: path(id, '/ping') }),
  /** Newest first. */
  deliveries: (id: string, { skip, take }: { skip: number; take: number }) =>
    requestJson<WebhookDelivery[]>({ method: 'GET', path: path(id, `/deliveries?skip=${skip}&take=${take}`) }),
  redeliver: (id: string, delivery: string) =>
    requestJson<void>({ method: 'POST', path: path(id, `/deliveries/${encodeURIComponent(delivery)}/redelivery`) }),
}
