/** Notifications of users about their accounts, secrets and requests, which plugins send from durable events. */
import type { App } from '../app.js'
import { decryptRecipient, type MailRecipient } from '../auth/deleted-recipient.js'
import { createVerificationLink, remindToVerify } from '../auth/email-verification.js'
import { createResetLink } from '../auth/password-reset.js'
import { securityAddresses } from '../auth/security-addresses.js'
import type { MailChannel, Subscriber } from '../contracts/channels.js'
import type { Notification } from '../contracts/notifications.js'
import type { DeliveryOutcome, DurableEvent } from '../contracts/outbox.js'
import type { User } from '../contracts/users.js'
import { sendRecipientCode } from '../secrets/send-code.js'
import { isAccepted, SUBSCRIBED, toNotification } from './to-notification.js'
import { createUnsubscribeToken } from './unsubscribe-token.js'

/** A message about the account that could not be sent for so long is not sent any more. */
const ACCOUNT_DELAY_MS = 24 * 60 * 60_000

/**
 * Subscribes a channel that sends notifications. It stores only events of owners who asked for notifications. `getApp`:
 * called when an event is delivered, not before.
 */
export const subscribeMail = (getApp: () => App, channel: MailChannel): Subscriber => ({
  name: channel.name,
  types: SUBSCRIBED,
  accepts: isAccepted,
  deliver: (event, signal) => notifyOwner(getApp(), channel, event, signal),
})

const SKIPPED = { isDelivered: true, isSkipped: true }
const NOT_WANTED: DeliveryOutcome = { ...SKIPPED, result: 'not wanted' }

async function notifyOwner(
  app: App,
  channel: MailChannel,
  event: DurableEvent,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (event.type === 'ping') {
    await channel.ping?.()
    return { isDelivered: true, result: 'ready' }
  }
  if (event.type === 'secret.code_requested') return sendRecipientCode(app, channel, event, signal)
  if (event.type === 'user.new_device') return sendSignInAlert(app, channel, event, signal)
  if (event.type === 'user.security_changed') return sendSecurityMail(app, channel, event, signal)
  if (event.type === 'user.reset_requested' || event.type === 'user.verification_requested') {
    return sendLink(app, channel, event, signal)
  }
  const found = toNotification(event)
  const user = found && (await app.storage.users.get(found.ownerId))
  // A deleted account, or an account that turned its notifications off.
  if (!found || !user || user.email === '' || !user.notifications) return NOT_WANTED
  if (user.suspendedAt !== null) return { ...SKIPPED, result: 'account suspended' }
  if (user.emailVerified === null) {
    await remindToVerify(app, user)
    return { ...SKIPPED, result: 'address not verified' }
  }
  const unsubscribeUrl = `${app.config.publicUrl}/api/v1/notifications/unsubscribe/${createUnsubscribeToken(app.key, user.id)}`
  const notification = { ...found.content, recipient: toRecipient(user, null), unsubscribeUrl }
  return channel.deliver(notification as Notification, signal)
}

/** Messages with a link that users have asked for, and who gets them. */
const LINKS = {
  'user.reset_requested': {
    type: 'password-reset',
    isWanted: ({ email, emailVerified, suspendedAt }: User) =>
      email !== '' && emailVerified !== null && suspendedAt === null,
    create: createResetLink,
  },
  // To the current address of the user, unless it is verified meanwhile.
  'user.verification_requested': {
    type: 'verify-email',
    isWanted: ({ emailVerified }: User) => emailVerified === null,
    create: createVerificationLink,
  },
}

/** Also to users who turned notifications off: they requested this message. Not after a lock-out. */
async function sendLink(
  app: App,
  channel: MailChannel,
  { id, at, type, data: { userId, language, epoch } }: Extract<DurableEvent, { type: keyof typeof LINKS }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const link = LINKS[type]
  const user = await app.storage.users.get(userId)
  if (user?.epoch !== epoch || !link.isWanted(user) || app.now() - at > ACCOUNT_DELAY_MS) return NOT_WANTED
  const content = { id, at, type: link.type, data: await link.create(app, user) }
  const notification = { ...content, recipient: toRecipient(user, language), unsubscribeUrl: null }
  return channel.deliver(notification as Notification, signal)
}

async function sendSignInAlert(
  app: App,
  channel: MailChannel,
  { id, at, data: { userId, network, program, language } }: Extract<DurableEvent, { type: 'user.new_device' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = await app.storage.users.get(userId)
  if (!user?.signInAlerts) return NOT_WANTED
  const content = { id, at, type: 'new-device' as const, data: { network, program } }
  return sendAboutSecurity(app, channel, { user, content, language }, signal)
}

async function sendSecurityMail(
  app: App,
  channel: MailChannel,
  { id, at, data: { userId, change, recipient } }: Extract<DurableEvent, { type: 'user.security_changed' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const user = recipient === null ? await app.storage.users.get(userId) : decryptRecipient(app.key, userId, recipient)
  const content = { id, at, type: 'account-changed' as const, data: { change } }
  return user ? sendAboutSecurity(app, channel, { user, content, language: null }, signal) : NOT_WANTED
}

interface SecurityMessage {
  user: MailRecipient
  content: Pick<Notification, 'id' | 'at' | 'type' | 'data'>
  language: string | null
}

/** To each of `securityAddresses`. Returns the outcome of the first failed message. */
async function sendAboutSecurity(
  { now }: App,
  channel: MailChannel,
  { user, content, language }: SecurityMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (now() - content.at > ACCOUNT_DELAY_MS) return NOT_WANTED
  const outcomes = await Promise.all(
    securityAddresses(user, now()).map((address, index) => {
      const recipient = { address, username: user.username, language: language ?? user.language }
      const id = index === 0 ? content.id : `${content.id}.${index}`
      return channel.deliver({ ...content, id, recipient, unsubscribeUrl: null } as Notification, signal)
    }),
  )
  return outcomes.find(({ isDelivered }) => !isDelivered) ?? outcomes[0] ?? NOT_WANTED
}

/**
 * `language`: of the request that caused the message; null: the user's language. An unverified address may belong to a
 * stranger: texts that the user chose, such as a username that looks like a link, are not sent there.
 */
const toRecipient = ({ email, emailVerified, username, language: own }: User, language: string | null) => ({
  address: email,
  username: emailVerified === null ? '' : username,
  language: language ?? own,
})
