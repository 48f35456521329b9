import { command } from '../command.js'
import { HEADER_OPTION } from '../list-options.js'
import type { ListWebhooksFlags } from './manage-webhooks.js'
import { WEBHOOK_OPTIONS } from './webhook-options.js'

export const webhookList = command<ListWebhooksFlags>({
  name: 'webhook list',
  summary: 'list your webhooks, newest first',
  options: [...WEBHOOK_OPTIONS, HEADER_OPTION],
  examples: [['failed webhooks', 'mayfly webhook list | grep failed']],
  async run({ io, flags }) {
    const { listWebhooks } = await import('./manage-webhooks.js')
    await listWebhooks(flags, io)
  },
})
