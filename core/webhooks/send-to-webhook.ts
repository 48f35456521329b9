/** Sends one event to the webhook of a user. */

import { assertCanSignIn } from '../auth/account-policy.js'
import type { DeliveryOutcome, DurableEvent } from '../contracts/outbox.js'
import type { UserWebhook, UserWebhookStore } from '../contracts/user-webhooks.js'
import type { UserStore } from '../contracts/users.js'
import type { WebhookSender } from '../contracts/webhook-sender.js'
import { deliverEvent } from '../events/deliver-event.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { WebhookSecrets } from './webhook-secrets.js'

export interface SendDeps {
  store: UserWebhookStore
  users: Pick<UserStore, 'get'>
  instance: Pick<SettingsService, 'current'>
  sender: WebhookSender
  secrets: WebhookSecrets
  /** Epoch ms. */
  now: () => number
}

const REFUSED = { isDelivered: false, isPermanent: true }

/** Returns the outcome, never rejects because of the receiver. An event of a user who cannot sign in is dead at once. */
export async function sendToWebhook(
  { users, instance, sender, secrets, now }: SendDeps,
  webhook: UserWebhook,
  event: DurableEvent,
  stopped?: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = await users.get(webhook.userId)
  if (!user || !isEnabled(user, await instance.current())) return { ...REFUSED, result: 'account disabled' }
  const destination = secrets.toDestination(webhook, now())
  if (!destination) return { ...REFUSED, result: 'signing secret lost' }
  const deliver = (each: DurableEvent, signal: AbortSignal) => sender.send(destination, each, signal)
  return deliverEvent({ name: webhook.id, deliver }, event, stopped)
}

function isEnabled(...[user, settings]: Parameters<typeof assertCanSignIn>): boolean {
  try {
    assertCanSignIn(user, settings)
    return true
  } catch {
    return false
  }
}

/** Stores since when a webhook has failed, if that has changed. A permanent failure of one event says nothing about the receiver. */
export async function recordHealth(
  store: Pick<UserWebhookStore, 'update'>,
  { id, userId, failingSince }: UserWebhook,
  outcomes: DeliveryOutcome[],
  now: number,
): Promise<void> {
  const hasDelivered = outcomes.some(({ isDelivered }) => isDelivered)
  const hasFailed = outcomes.some(({ isDelivered, isPermanent }) => !isDelivered && !isPermanent)
  if (hasDelivered && failingSince !== null) await store.update(id, userId, { failingSince: null })
  else if (!hasDelivered && hasFailed && failingSince === null) await store.update(id, userId, { failingSince: now })
}
