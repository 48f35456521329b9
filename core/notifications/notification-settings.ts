/** Use cases of the notifications of an account: who gets them, and how they are turned off. */
import { randomBytes } from 'node:crypto'
import type { App } from '../app.js'
import { securityFacts } from '../auth/account-facts.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Notification } from '../contracts/notifications.js'
import type { DeliveryOutcome } from '../contracts/outbox.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { NotifyWarning, SetNotifications } from '../shared/api/index.js'
import { readUnsubscribeToken } from './unsubscribe-token.js'

/** Time limit of a test, in ms. */
const TEST_MS = 15_000

/** Whether the caller gets a notification of a secret: from a plugin, or by a webhook of the caller's own. */
export const canNotify = ({ channels, webhooks }: App, { userId }: AuthContext): boolean =>
  userId !== null && (channels.mail.length > 0 || webhooks.isWantedBy(userId, 'secret.viewed', 'secret.expired'))

/**
 * For a user who asks for a notification: stores the language, and returns why the user would not get an e-mail now;
 * null if nothing prevents it. `acceptLanguage`: header of the request.
 */
export async function prepareNotification(
  { storage, channels }: App,
  acceptLanguage = '',
  { userId }: AuthContext,
): Promise<NotifyWarning | null> {
  const user = userId === null || channels.mail.length === 0 ? null : await storage.users.get(userId)
  if (!user) return null
  const language = preferredLanguage(acceptLanguage)
  if (language !== null && user.language !== language) await storage.users.update(user.id, { language })
  if (!user.notifications) return 'notifications_off'
  return user.emailVerified === null ? 'address_not_verified' : null
}

/** Changes which notifications the caller gets. Absent fields stay unchanged. Throws AppError `auth.required`. */
export async function updateNotifications(
  app: App,
  { enabled, signInAlerts }: SetNotifications,
  { userId }: AuthContext,
): Promise<void> {
  const { users } = app.storage
  const changes = {
    ...(enabled !== undefined && { notifications: enabled }),
    ...(signInAlerts !== undefined && { signInAlerts }),
  }
  const user = userId === null ? null : await users.get(userId)
  const isAlarmOff = user?.signInAlerts && signInAlerts === false
  const events = user && isAlarmOff ? createEvents(app, securityFacts(user.id, 'sign-in-alerts')) : []
  const changed = user && (await users.update(user.id, changes, { events }))
  if (!changed) throw new AppError('auth.required')
}

/**
 * Turns the notifications of an account off, with the token of a link in a notification. Throws AppError
 * `request.not_found`.
 */
export async function unsubscribe({ storage, key }: App, token: string): Promise<void> {
  const userId = readUnsubscribeToken(key, token)
  const changed = userId === null ? null : await storage.users.update(userId, { notifications: false })
  if (!changed) throw new AppError('request.not_found')
}

/** Sends a test to an address with each channel, once. Throws AppError `request.invalid` without a channel. */
export async function sendTestNotification(
  { channels, now }: App,
  address: string,
): Promise<(DeliveryOutcome & { name: string })[]> {
  if (channels.mail.length === 0) throw new AppError('request.invalid', { message: 'No plugin sends notifications.' })
  const notification: Notification = {
    id: `test_${randomBytes(8).toString('hex')}`,
    type: 'test',
    at: now(),
    data: {},
    recipient: { address, username: '', language: null },
    unsubscribeUrl: null,
  }
  return Promise.all(
    channels.mail.map(async (channel) => ({
      name: channel.name,
      ...(await channel.deliver(notification, AbortSignal.timeout(TEST_MS))),
    })),
  )
}
