import { command } from '../command.js'
import { ID_ARGUMENT, WEBHOOK_OPTIONS, type WebhookFlags } from './webhook-options.js'

export const webhookPing = command<WebhookFlags>({
  name: 'webhook ping',
  summary: 'send a test event to a webhook and print the result',
  argument: ID_ARGUMENT,
  options: WEBHOOK_OPTIONS,
  examples: [['is the receiver reachable?', 'mayfly webhook ping "$ID"']],
  async run({ io, flags, args }) {
    const { pingWebhook } = await import('./manage-webhooks.js')
    await pingWebhook(args[0], flags, io)
  },
})
