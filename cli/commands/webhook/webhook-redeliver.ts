import { command } from '../command.js'
import type { RedeliverFlags } from './manage-webhooks.js'
import { ID_ARGUMENT, WEBHOOK_OPTIONS } from './webhook-options.js'

export const webhookRedeliver = command<RedeliverFlags>({
  name: 'webhook redeliver',
  summary: 'deliver an event to a webhook again',
  argument: ID_ARGUMENT,
  options: [['--delivery <id>', 'id from `mayfly webhook deliveries`'], ...WEBHOOK_OPTIONS],
  examples: [['after the receiver works again', 'mayfly webhook redeliver "$ID" --delivery "$DELIVERY"']],
  async run({ io, flags, args }) {
    const { redeliverToWebhook } = await import('./manage-webhooks.js')
    await redeliverToWebhook(args[0], flags, io)
  },
})
