import { command } from '../command.js'
import { ID_ARGUMENT, WEBHOOK_OPTIONS, type WebhookFlags } from './webhook-options.js'

export const webhookRemove = command<WebhookFlags>({
  name: 'webhook remove',
  summary: 'remove a webhook with its waiting events',
  argument: ID_ARGUMENT,
  options: WEBHOOK_OPTIONS,
  examples: [['without a question', 'mayfly webhook remove "$ID" --yes']],
  async run({ io, flags, args }) {
    const { removeWebhook } = await import('./manage-webhooks.js')
    await removeWebhook(args[0], flags, io)
  },
})
