/** Notifications of users about their secrets and requests, which plugins send from durable events. */
import { randomBytes } from 'node:crypto'
import { createVerificationLink } from '../auth/email-verification.js'
import { createResetLink } from '../auth/password-reset.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { EmailVerificationStore } from '../contracts/email-verifications.js'
import type { Notification, Notifier } from '../contracts/notifier.js'
import type { DeliveryOutcome, DurableEvent, Subscriber } from '../contracts/outbox.js'
import type { PasswordResetStore } from '../contracts/password-resets.js'
import type { User, UserStore } from '../contracts/users.js'
import type { UserWebhookIndex } from '../events/user-webhook-index.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { SetNotifications } from '../shared/api/index.js'
import { isAccepted, SUBSCRIBED, toNotification } from './to-notification.js'
import { createUnsubscribeToken, readUnsubscribeToken } from './unsubscribe-token.js'

/** Time limit of a test, in ms. */
const TEST_MS = 15_000

/** A message about the account that could not be sent for so long is not sent any more. */
const ACCOUNT_DELAY_MS = 24 * 60 * 60_000

/** A plugin that sends notifications. `name`: of the plugin. */
export interface NamedNotifier {
  name: string
  notifier: Notifier
}

interface Deps {
  notifiers: NamedNotifier[]
  userWebhooks: Pick<UserWebhookIndex, 'isWantedBy'>
  users: Pick<UserStore, 'get' | 'update'>
  /** Undefined: the storage has none. */
  resets: PasswordResetStore | undefined
  /** Undefined: the storage has none. */
  verifications: EmailVerificationStore | undefined
  /** Asks a user to verify the address, who misses a notification because of that. */
  remind(user: User): Promise<void>
  /** Key of the instance, 32 bytes. */
  key: Buffer
  publicUrl: string
  /** Epoch ms. */
  now: () => number
}

export interface NotificationService {
  /** False: no plugin sends notifications. */
  isEnabled: boolean
  /** Whether the caller gets a notification of a secret: from a plugin, or by a webhook of the caller's own. */
  canNotify(caller: AuthContext): boolean
  /** Keeps the language of a user who asks for a notification. `acceptLanguage`: header of the request. */
  rememberLanguage(caller: AuthContext, acceptLanguage: string | undefined): Promise<void>
  /** Changes which notifications the caller gets. Absent fields stay unchanged. Throws AppError `auth.required`. */
  update(caller: AuthContext, changes: SetNotifications): Promise<void>
  /** Turns the notifications of an account off, with the token of a link in a notification. Throws AppError `request.not_found`. */
  unsubscribe(token: string): Promise<void>
  /** Sends a test to an address with each plugin, once. Throws AppError `request.invalid` without a plugin. */
  sendTest(address: string): Promise<(DeliveryOutcome & { name: string })[]>
}

export function notificationService({ notifiers, userWebhooks, users, key, now }: Deps): NotificationService {
  return {
    isEnabled: notifiers.length > 0,

    canNotify: ({ userId }) =>
      userId !== null && (notifiers.length > 0 || userWebhooks.isWantedBy(userId, 'secret.viewed', 'secret.expired')),

    async rememberLanguage({ userId }, acceptLanguage = '') {
      const language = preferredLanguage(acceptLanguage)
      if (userId === null || language === null || notifiers.length === 0) return
      if ((await users.get(userId))?.language !== language) await users.update(userId, { language })
    },

    async update({ userId }, { enabled, signInAlerts }) {
      const changes = {
        ...(enabled !== undefined && { notifications: enabled }),
        ...(signInAlerts !== undefined && { signInAlerts }),
      }
      const changed = userId === null ? null : await users.update(userId, changes)
      if (!changed) throw new AppError('auth.required')
    },

    async unsubscribe(token) {
      const userId = readUnsubscribeToken(key, token)
      const changed = userId === null ? null : await users.update(userId, { notifications: false })
      if (!changed) throw new AppError('request.not_found')
    },

    async sendTest(address) {
      if (notifiers.length === 0) throw new AppError('request.invalid', { message: 'No plugin sends notifications.' })
      const notification: Notification = {
        ...{ id: `test_${randomBytes(8).toString('hex')}`, type: 'test', at: now(), data: {} },
        ...{ recipient: { address, username: '', language: null }, unsubscribeUrl: null },
      }
      return Promise.all(
        notifiers.map(async ({ name, notifier }) => ({
          name,
          ...(await notifier.send(notification, AbortSignal.timeout(TEST_MS))),
        })),
      )
    },
  }
}

/** A subscriber for each plugin that sends notifications. It stores only events of owners who asked to be told. */
export const createNotificationSubscribers = ({ notifiers, ...deps }: Deps): Subscriber[] =>
  notifiers.map(({ name, notifier }) => ({
    name: `notify.${name}`,
    types: SUBSCRIBED,
    accepts: isAccepted,
    deliver: (event, signal) => notifyOwner(deps, notifier, event, signal),
  }))

const NOT_WANTED: DeliveryOutcome = { isDelivered: true, result: 'not wanted' }

async function notifyOwner(
  deps: Omit<Deps, 'notifiers'>,
  notifier: Notifier,
  event: DurableEvent,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (event.type === 'ping') {
    await notifier.ping?.()
    return { isDelivered: true, result: 'ready' }
  }
  if (event.type === 'user.reset_requested') return sendResetLink(deps, notifier, event, signal)
  if (event.type === 'user.new_device') return sendSignInAlert(deps, notifier, event, signal)
  if (event.type === 'user.verification_requested') return sendVerificationLink(deps, notifier, event, signal)
  const { users, verifications, key, publicUrl, remind } = deps
  const found = toNotification(event)
  const user = found && (await users.get(found.ownerId))
  // A deleted account, or one that turned its notifications off.
  if (!found || !user || user.email === '' || !user.notifications) return NOT_WANTED
  if (verifications && user.emailVerified === null) {
    await remind(user)
    return { isDelivered: true, result: 'address not verified' }
  }
  const { email: address, username, language } = user
  const unsubscribeUrl = `${publicUrl}/api/v1/notifications/unsubscribe/${createUnsubscribeToken(key, user.id)}`
  const notification = { ...found.content, recipient: { address, username, language }, unsubscribeUrl }
  return notifier.send(notification as Notification, signal)
}

/** Also to users who turned notifications off: they asked for this one. */
async function sendResetLink(
  { users, resets, publicUrl, now }: Omit<Deps, 'notifiers'>,
  notifier: Notifier,
  { id, at, data: { userId, language } }: Extract<DurableEvent, { type: 'user.reset_requested' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = await users.get(userId)
  if (!user || user.email === '' || !resets || now() - at > ACCOUNT_DELAY_MS) return NOT_WANTED
  const recipient = { address: user.email, username: user.username, language: language ?? user.language }
  const data = await createResetLink(resets, { user, publicUrl, now: now() })
  return notifier.send({ id, type: 'password-reset', at, data, recipient, unsubscribeUrl: null }, signal)
}

async function sendSignInAlert(
  { users, now }: Omit<Deps, 'notifiers'>,
  notifier: Notifier,
  { id, at, data: { userId, network, program, language } }: Extract<DurableEvent, { type: 'user.new_device' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = await users.get(userId)
  if (!user || user.emailVerified === null || !user.signInAlerts || now() - at > ACCOUNT_DELAY_MS) return NOT_WANTED
  const recipient = { address: user.email, username: user.username, language: language ?? user.language }
  const data = { network, program }
  return notifier.send({ id, type: 'new-device', at, data, recipient, unsubscribeUrl: null }, signal)
}

/** To the address that the user has now, unless it is verified meanwhile. */
async function sendVerificationLink(
  { users, verifications, publicUrl, now }: Omit<Deps, 'notifiers'>,
  notifier: Notifier,
  { id, at, data: { userId, language } }: Extract<DurableEvent, { type: 'user.verification_requested' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = await users.get(userId)
  if (!user || user.emailVerified !== null || !verifications || now() - at > ACCOUNT_DELAY_MS) return NOT_WANTED
  const recipient = { address: user.email, username: user.username, language: language ?? user.language }
  const data = await createVerificationLink(verifications, { user, publicUrl, now: now() })
  return notifier.send({ id, type: 'verify-email', at, data, recipient, unsubscribeUrl: null }, signal)
}
