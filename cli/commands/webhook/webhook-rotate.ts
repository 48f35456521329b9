import { command } from '../command.js'
import { ID_ARGUMENT, WEBHOOK_OPTIONS, type WebhookFlags } from './webhook-options.js'

export const webhookRotate = command<WebhookFlags>({
  name: 'webhook rotate',
  summary: 'create a new signing secret and print it, once; the old one also signs for a day',
  argument: ID_ARGUMENT,
  options: WEBHOOK_OPTIONS,
  examples: [['keep the signing secret in a file', 'mayfly webhook rotate "$ID" > signing-secret']],
  async run({ io, flags, args }) {
    const { rotateSecret } = await import('./manage-webhooks.js')
    await rotateSecret(args[0], flags, io)
  },
})
