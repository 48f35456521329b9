/** A plugin that keeps notifications instead of sending them. */
import { z } from 'zod'
import type { Notification } from '#core/contracts/notifications'
import type { DeliveryOutcome } from '#core/contracts/outbox'
import { definePlugin, type Plugin } from '#core/plugins/plugin'

/** `sent`: the notifications so far, oldest first. `outcomes`: of the next attempts; then they succeed. */
export function recordingNotifier(): { notifier: Plugin; sent: Notification[]; outcomes: DeliveryOutcome[] } {
  const sent: Notification[] = []
  const outcomes: DeliveryOutcome[] = []
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
            return outcomes.shift() ?? { isDelivered: true, result: 'sent' }
          },
        },
      ],
    }),
  }) as Plugin
  return { notifier, sent, outcomes }
}
