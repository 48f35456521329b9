/** Routes of the caller's own webhooks. */
import { z } from 'zod'
import * as api from '../../shared/api/index.js'
import * as webhooks from '../../webhooks/manage-webhooks.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.WebhookId })

const listWebhooks = defineRoute({
  summary: 'List the webhooks of the account',
  response: api.Webhooks,
  errors: ['request.not_found'],
  handle: ({ caller }, app) => webhooks.listWebhooks(app, caller),
})

const createWebhook = defineRoute({
  summary: 'Create a webhook; the signing secret is only in this response',
  body: api.CreateWebhook,
  status: 201,
  response: api.CreatedWebhook,
  errors: ['request.not_found', 'auth.interactive', 'webhook.limit_reached'],
  handle: ({ body, caller }, app) => webhooks.createWebhook(app, body, caller),
})

const updateWebhook = defineRoute({
  summary: 'Change a webhook',
  params,
  body: api.UpdateWebhook,
  response: api.Webhook,
  errors: ['webhook.not_found', 'auth.interactive'],
  handle: ({ params, body, caller }, app) => webhooks.updateWebhook(app, params.id, body, caller),
})

const deleteWebhook = defineRoute({
  summary: 'Delete a webhook with its waiting events',
  params,
  errors: ['webhook.not_found'],
  handle: ({ params, caller }, app) => webhooks.deleteWebhook(app, params.id, caller),
})

const rotateSecret = defineRoute({
  summary: 'Create a new signing secret; the old one also signs for a day',
  params,
  response: api.CreatedWebhook,
  errors: ['webhook.not_found'],
  handle: ({ params, caller }, app) => webhooks.rotateWebhookSecret(app, params.id, caller),
})

const pingWebhook = defineRoute({
  summary: 'Send a test event to a webhook, once',
  params,
  response: api.PingedWebhook,
  errors: ['webhook.not_found'],
  handle: ({ params, caller }, app) => webhooks.pingWebhook(app, params.id, caller),
})

const listDeliveries = defineRoute({
  summary: 'List the deliveries of a webhook, newest first',
  params,
  query: api.Page,
  response: api.WebhookDeliveries,
  errors: ['webhook.not_found'],
  handle: ({ params, query, caller }, app) => webhooks.listDeliveries(app, params.id, query, caller),
})

const redeliver = defineRoute({
  summary: 'Deliver an event to a webhook again',
  params: z.object({ id: api.WebhookId, delivery: api.DeliveryId }),
  errors: ['webhook.not_found', 'webhook.delivery_not_found'],
  handle: ({ params, caller }, app) => webhooks.redeliver(app, params.id, params.delivery, caller),
})

// biome-ignore format: one row per route
export const webhookRoutes: RouteRow[] = [
  ['GET',    '/account/webhooks',                                     'account',        { requires: 'account' },                  listWebhooks],
  ['POST',   '/account/webhooks',                                     'webhook-change', { requires: 'account', proof: 'always' }, createWebhook],
  ['PUT',    '/account/webhooks/:id',                                 'webhook-change', { requires: 'account', proof: 'always' }, updateWebhook],
  ['DELETE', '/account/webhooks/:id',                                 'webhook-change', { requires: 'account', proof: 'always' }, deleteWebhook],
  ['POST',   '/account/webhooks/:id/secret',                          'webhook-change', { requires: 'account', proof: 'always' }, rotateSecret],
  ['POST',   '/account/webhooks/:id/ping',                            'webhook-send',   { requires: 'account' },                  pingWebhook],
  ['GET',    '/account/webhooks/:id/deliveries',                      'account',        { requires: 'account' },                  listDeliveries],
  ['POST',   '/account/webhooks/:id/deliveries/:delivery/redelivery', 'webhook-send',   { requires: 'account' },                  redeliver],
]
