import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { ListDeliveriesFlags } from './manage-webhooks.js'
import { ID_ARGUMENT, WEBHOOK_OPTIONS } from './webhook-options.js'

export const webhookDeliveries = command<ListDeliveriesFlags>({
  name: 'webhook deliveries',
  summary: 'list the deliveries of a webhook, newest first',
  argument: ID_ARGUMENT,
  options: [...WEBHOOK_OPTIONS, ...PAGE_OPTIONS, HEADER_OPTION],
  examples: [['what was not delivered', 'mayfly webhook deliveries "$ID" | grep dead']],
  async run({ io, flags, args }) {
    const { listDeliveries } = await import('./manage-webhooks.js')
    await listDeliveries(args[0], flags, io)
  },
})
