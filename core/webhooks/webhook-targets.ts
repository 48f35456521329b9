/** The webhooks of users as targets of durable events. */

import { randomInt } from 'node:crypto'
import type { App } from '../app.js'
import { assertCanSignIn } from '../auth/account-policy.js'
import type { WebhookChannel } from '../contracts/channels.js'
import type { UserWebhook } from '../contracts/user-webhooks.js'
import type { Target, TargetGroup } from '../events/delivery.js'
import { toSubscriber } from '../events/user-webhook-index.js'
import { createWebhookSecrets } from './webhook-secrets.js'

/** Number of events of one webhook that are delivered in a second. */
const BATCH = 8

/** `getApp`: called when an event is delivered, not before. */
export const createWebhookGroup = (getApp: () => App, channel: WebhookChannel): TargetGroup => ({
  name: channel.name,
  batch: BATCH,
  window: BATCH,
  drains: false,
  async *listTargets(now, isReady) {
    const app = getApp()
    if (app.webhooks.isEmpty()) return
    const ids = await app.storage.userWebhooks.listDue(now)
    for (const id of rotate(ids.filter((each) => isReady(toSubscriber(each))))) {
      const webhook = await app.storage.userWebhooks.get(id)
      if (webhook) yield openTarget(app, channel, webhook)
    }
  },
})

/** An event of a user who cannot sign in is dead at once. */
export async function openTarget(app: App, channel: WebhookChannel, webhook: UserWebhook): Promise<Target> {
  const { id, userId, failingSince } = webhook
  const destination = createWebhookSecrets(app.key).toDestination(webhook, app.now())
  const refusal = await findRefusal(app, webhook)
  return {
    subscriber: toSubscriber(id),
    userId,
    async deliver(event, signal) {
      if (refusal === null && destination) return channel.deliver({ ...destination, event }, signal)
      return { isDelivered: false, isPermanent: true, result: refusal ?? 'signing secret lost' }
    },
    async recordHealth(isWorking) {
      if (isWorking === (failingSince === null)) return
      await app.storage.userWebhooks.update(id, userId, { failingSince: isWorking ? null : app.now() })
    },
  }
}

/** Why the webhook gets no events now; null: it gets them. */
async function findRefusal({ storage, settings, now }: App, webhook: UserWebhook): Promise<string | null> {
  const user = await storage.users.get(webhook.userId)
  if (!user || !isEnabled(user, await settings.current())) return 'account disabled'
  return webhook.expiresAt !== null && webhook.expiresAt <= now() ? 'webhook expired' : null
}

function isEnabled(...[user, settings]: Parameters<typeof assertCanSignIn>): boolean {
  try {
    assertCanSignIn(user, settings)
    return true
  } catch {
    return false
  }
}

/** Starts at a random place, so that no webhook is always the last one. */
function rotate(ids: string[]): string[] {
  const first = randomInt(Math.max(ids.length, 1))
  return [...ids.slice(first), ...ids.slice(0, first)]
}
