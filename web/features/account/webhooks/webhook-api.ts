/** API requests of users about their own webhooks. */
import type { CreateWebhook } from '#shared/api'
import { CreatedWebhook, PingedWebhook, WebhookDeliveries, Webhooks } from '#shared/response-schemas/webhooks-responses'
import { requestJson } from '../../../lib/account-request.js'

const path = (id: string, action = '') => `/account/webhooks/${encodeURIComponent(id)}${action}`

export const webhookApi = {
  list: () => requestJson({ response: Webhooks, method: 'GET', path: '/account/webhooks' }),
  /** Only this response and the response of `rotate` contain the signing secret. */
  create: (body: CreateWebhook) =>
    requestJson({ response: CreatedWebhook, method: 'POST', path: '/account/webhooks', body }),
  remove: (id: string) => requestJson({ method: 'DELETE', path: path(id) }),
  rotate: (id: string) => requestJson({ response: CreatedWebhook, method: 'POST', path: path(id, '/secret') }),
  /** Sends a test event, once. */
  ping: (id: string) => requestJson({ response: PingedWebhook, method: 'POST', path: path(id, '/ping') }),
  /** Newest first. */
  deliveries: (id: string, { skip, take }: { skip: number; take: number }) =>
    requestJson({
      response: WebhookDeliveries,
      method: 'GET',
      path: path(id, `/deliveries?skip=${skip}&take=${take}`),
    }),
  redeliver: (id: string, delivery: string) =>
    requestJson({ method: 'POST', path: path(id, `/deliveries/${encodeURIComponent(delivery)}/redelivery`) }),
}
