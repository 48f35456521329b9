/** A plugin that keeps notifications instead of sending them. */
import { z } from 'zod'
import type { Notification } from '#core/contracts/notifications'
import { definePlugin, type Plugin } from '#core/plugins/plugin'

/** `sent`: the notifications so far, oldest first. */
export function recordingNotifier(): { notifier: Plugin; sent: Notification[] } {
  const sent: Notification[] = []
  const notifier = definePlugin({
    contract: 1,
    name: 'notifier',
    options: z.object({}),
    setup: () => ({
      channels: [
        {
          name: 'notify.test',
          to: 'user',
          address: 'email',
          deliver: async (notification) => {
            sent.push(notification)
            return { isDelivered: true, result: 'sent' }
          },
        },
      ],
    }),
  }) as Plugin
  return { notifier, sent }
}
