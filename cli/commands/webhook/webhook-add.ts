import { command } from '../command.js'
import type { AddWebhookFlags } from './manage-webhooks.js'
import { WEBHOOK_OPTIONS } from './webhook-options.js'

export const webhookAdd = command<AddWebhookFlags>({
  name: 'webhook add',
  summary: 'add a webhook for your secrets and requests and print its signing secret, once',
  argument: ['[url]', 'https URL that receives the events'],
  options: [
    ['--name <name>', 'name of the webhook (default: host of the URL)'],
    ['--events <list>', 'comma-separated event types, such as secret.viewed,request.submitted (default: all)'],
    ...WEBHOOK_OPTIONS,
  ],
  examples: [
    [
      'when one of your secrets is opened',
      'mayfly webhook add https://hooks.example.org/mayfly --events secret.viewed',
    ],
    ['keep the signing secret in a file', 'mayfly webhook add https://hooks.example.org/mayfly > signing-secret'],
  ],
  async run({ io, flags, args }) {
    const { addWebhook } = await import('./manage-webhooks.js')
    await addWebhook(args[0], flags, io)
  },
})
