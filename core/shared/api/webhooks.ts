/** Schemas of the caller's own webhooks. */
import { z } from 'zod'
import { isWebhookUrl, USER_EVENT_TYPES, WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX } from '../user-webhooks.js'
import { count, isWellFormed, shortText, time, title } from './common.js'
import { limitedList } from './limited-list.js'

export const WebhookId = z.string().regex(/^[0-9a-f]{32}$/, 'must be an id from the list')

export const DeliveryId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id from the list')

const url = z
  .string()
  .max(WEBHOOK_URL_MAX, { abort: true })
  .refine(isWellFormed, 'must be well-formed Unicode')
  .refine(isWebhookUrl, 'must be an https URL without credentials and fragment')
  .describe('https URL that receives the events')

const UserEvent = z.enum(USER_EVENT_TYPES)

const events = limitedList(UserEvent, { max: USER_EVENT_TYPES.length }).describe(
  "types of events of the caller's own secrets and requests; empty: all",
)

export const CreateWebhook = z.strictObject({
  name: title.max(WEBHOOK_NAME_MAX),
  url,
  events: events.default([]),
})

export type CreateWebhook = z.input<typeof CreateWebhook>

export const UpdateWebhook = z.strictObject({
  name: title.max(WEBHOOK_NAME_MAX).optional(),
  url: url.optional(),
  events: events.optional(),
})

export type UpdateWebhook = z.input<typeof UpdateWebhook>

export const Webhook = z.object({
  id: shortText,
  name: shortText,
  url: shortText,
  events,
  createdAt: time,
  state: z.enum(['working', 'failing', 'failed']).describe('failed: every attempt of the last three days failed'),
  failingSince: time.nullable().describe('since when every attempt has failed; null: the last attempt succeeded'),
  previousSecretUntil: time
    .nullable()
    .describe('until when the secret before the last rotation also signs; null: none'),
})

export type Webhook = z.infer<typeof Webhook>

export const Webhooks = z.array(Webhook)

export const CreatedWebhook = Webhook.extend({
  secret: shortText.describe('signing secret, `whsec_` and Base64; only in this response'),
})

export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const PingedWebhook = z.object({
  delivered: z.boolean(),
  result: shortText.describe('such as `HTTP 204`, `timeout` or `address refused`'),
})

export type PingedWebhook = z.infer<typeof PingedWebhook>

export const WebhookDelivery = z.object({
  id: shortText.describe('the header webhook-id'),
  type: z.enum(USER_EVENT_TYPES),
  subject: z.string().describe('subject of the event: `secret:{id}` or `request:{id}`'),
  state: z.enum(['pending', 'delivered', 'dead']).describe('dead: given up'),
  attempts: count.describe('number of attempts so far'),
  result: shortText
    .nullable()
    .describe('of the last attempt, such as `HTTP 503`, or `queue full`; null: no attempt yet'),
  createdAt: time,
  nextAt: time.nullable().describe('time of the next attempt; null: none'),
  endedAt: time.nullable().describe('when it was delivered or given up; null: pending'),
})

export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveries = z.array(WebhookDelivery)
