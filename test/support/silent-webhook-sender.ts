import { z } from 'zod'
import { definePlugin, type Plugin } from '#core/plugins/plugin'

/** A plugin that accepts the webhooks of users, and sends nothing. */
export const silentWebhookSender = definePlugin({
  contract: 1,
  name: 'test-sender',
  options: z.object({}),
  setup: () => ({
    channels: [
      {
        name: 'user-webhooks',
        to: 'user',
        address: 'webhook',
        maxPerUser: 99,
        isUrlAllowed: () => true,
        deliver: async () => ({ isDelivered: true, result: 'HTTP 204' }),
      },
    ],
  }),
}) as Plugin
