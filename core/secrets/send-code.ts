/** Mails a code to a named recipient. The code is created with the message, so that events never contain it. */
import type { App } from '../app.js'
import type { MailChannel } from '../contracts/channels.js'
import type { Notification } from '../contracts/notifications.js'
import type { DeliveryOutcome, DurableEvent } from '../contracts/outbox.js'
import { RECIPIENT_CODE_MINUTES } from '../shared/limits.js'
import { createRecipientCode, hashRecipientCode } from './recipient-hashes.js'
import { decryptAddress } from './request-code.js'

/** A message that could not be sent for so long is not sent any more. */
const CODE_MS = RECIPIENT_CODE_MINUTES * 60_000

/** A further attempt sends a new code, which replaces the previous code. */
export async function sendRecipientCode(
  app: App,
  channel: MailChannel,
  { id, at, data }: Extract<DurableEvent, { type: 'secret.code_requested' }>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { secretId, ownerId, recipient: number, address: encrypted, language } = data
  const { storage, key, now } = app
  const skipped = { isDelivered: true, isSkipped: true, result: 'not wanted' }
  const address = decryptAddress(key, secretId, encrypted)
  if (address === null || now() - at > CODE_MS || !(await storage.secrets.peek(secretId, now()))) return skipped
  const code = createRecipientCode()
  const codeHash = hashRecipientCode(key, secretId, code)
  if (!(await storage.namedRecipients.setCode({ secretId, number, codeHash, expiresAt: now() + CODE_MS })))
    return skipped
  const content = { code, minutes: RECIPIENT_CODE_MINUTES, sender: await findSender(app, ownerId) }
  const recipient = { address, username: '', language }
  const notification = { id, at, type: 'secret-code', data: content, recipient, unsubscribeUrl: null }
  return channel.deliver(notification as Notification, signal)
}

/**
 * The username of the owner. Null: a visitor, or an account without a confirmed address, which may belong to a
 * stranger.
 */
async function findSender({ storage }: App, ownerId: string | null): Promise<string | null> {
  const owner = ownerId === null ? null : await storage.users.get(ownerId)
  return owner !== null && owner.emailVerified !== null ? owner.username : null
}
