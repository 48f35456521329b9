/**
 * Use cases of the caller's own webhooks. Each throws AppError `request.not_found` if the operator has not turned them
 * on, `auth.required` without an account, and `webhook.not_found` for an unknown webhook and for a webhook of another
 * user.
 */
import { randomBytes } from 'node:crypto'
import type { App } from '../app.js'
import { securityFacts } from '../auth/account-facts.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { WebhookChannel } from '../contracts/channels.js'
import type { OutboxEntry } from '../contracts/outbox.js'
import type { Page } from '../contracts/page.js'
import type { UserWebhook, UserWebhookChanges } from '../contracts/user-webhooks.js'
import { attemptDelivery } from '../events/delivery.js'
import { createPing, storeEvents } from '../events/durable-events.js'
import { toSubscriber } from '../events/user-webhook-index.js'
import { AppError, fieldError, onConflict } from '../lib/errors.js'
import type {
  CreatedWebhook,
  CreateWebhook,
  PingedWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
} from '../shared/api/index.js'
import { createWebhookSecrets } from './webhook-secrets.js'
import { openTarget } from './webhook-targets.js'

/** A webhook that has failed for so long is shown as failed. */
const FAILED_MS = 3 * 24 * 60 * 60_000

/** Newest first. */
export async function listWebhooks(app: App, caller: AuthContext): Promise<Webhook[]> {
  const { userId } = open(app, caller)
  return (await app.storage.userWebhooks.list(userId)).map((webhook) => toResponse(webhook, app.now()))
}

/**
 * The only response with the secret. Throws AppError `webhook.limit_reached`, `request.invalid` for the field `url`, or
 * `auth.required` when the session of the caller was ended after the request began.
 */
export async function createWebhook(app: App, body: CreateWebhook, caller: AuthContext): Promise<CreatedWebhook> {
  const { name, url, events = [] } = body
  const { channel, userId } = open(app, caller)
  assertUrlAllowed(channel, url)
  const expiresAt = assertMaySendTo(caller)
  const id = randomBytes(16).toString('hex')
  const { secret, encrypted } = createWebhookSecrets(app.key).create(id)
  const webhook: UserWebhook = {
    id,
    userId,
    name,
    url,
    types: [...new Set(events)],
    secret: encrypted,
    previousSecret: null,
    previousUntil: null,
    failingSince: null,
    createdAt: app.now(),
    expiresAt,
    epoch: caller.epoch,
  }
  await app.storage.userWebhooks
    .create(webhook, channel.maxPerUser, caller.sessionId)
    .catch(onConflict('webhook.limit_reached'))
  await app.webhooks.invalidate()
  await reportChange(app, userId)
  await app.audit.note({ action: 'webhook.created', caller, subject: id, detail: { host: hostOf(url) } })
  return { ...toResponse(webhook, app.now()), secret }
}

/** Throws AppError `request.invalid` for the field `url`. */
export async function updateWebhook(app: App, id: string, body: UpdateWebhook, caller: AuthContext): Promise<Webhook> {
  const { name, url, events } = body
  const { channel, webhook: before } = await openOwn(app, id, caller)
  if (url !== undefined) assertUrlAllowed(channel, url)
  const isMoved = url !== undefined && url !== before.url
  const webhook = await storeChanges(app, before, {
    ...(name !== undefined && { name }),
    ...(events !== undefined && { types: [...new Set(events)] }),
    ...(isMoved && { url, failingSince: null, expiresAt: assertMaySendTo(caller) }),
  })
  if (isMoved) await reportChange(app, webhook.userId)
  await app.webhooks.invalidate()
  await app.audit.note({ action: 'webhook.changed', caller, subject: id, detail: { host: hostOf(webhook.url) } })
  return toResponse(webhook, app.now())
}

/** Deletes a webhook with its events. */
export async function deleteWebhook(app: App, id: string, caller: AuthContext): Promise<void> {
  const { userId } = open(app, caller)
  if (!(await app.storage.userWebhooks.remove(id, userId))) throw new AppError('webhook.not_found')
  await app.webhooks.invalidate()
  await reportChange(app, userId)
  await app.audit.note({ action: 'webhook.deleted', caller, subject: id })
}

/** Creates a new secret. The old one also signs for a day. */
export async function rotateWebhookSecret(app: App, id: string, caller: AuthContext): Promise<CreatedWebhook> {
  const { webhook: before } = await openOwn(app, id, caller)
  const { secret, changes } = createWebhookSecrets(app.key).rotate(before, app.now())
  const webhook = await storeChanges(app, before, changes)
  await reportChange(app, webhook.userId)
  await app.audit.note({ action: 'webhook.rotated', caller, subject: id })
  return { ...toResponse(webhook, app.now()), secret }
}

/** Sends a `ping` now, and once only. */
export async function pingWebhook(app: App, id: string, caller: AuthContext): Promise<PingedWebhook> {
  const { channel, webhook } = await openOwn(app, id, caller)
  const target = await openTarget(app, channel, webhook)
  const { isDelivered, result } = await attemptDelivery(target, createPing(app.now()))
  if (isDelivered) await target.recordHealth?.(true)
  return { delivered: isDelivered, result }
}

/** Newest first. */
export async function listDeliveries(
  app: App,
  id: string,
  page: Page,
  caller: AuthContext,
): Promise<WebhookDelivery[]> {
  await openOwn(app, id, caller)
  return (await app.storage.outbox.list({ subscriber: toSubscriber(id) }, page)).map(toDelivery)
}

/** Delivers an event again. Throws AppError `webhook.delivery_not_found`. */
export async function redeliver(app: App, id: string, delivery: string, caller: AuthContext): Promise<void> {
  await openOwn(app, id, caller)
  const filter = { id: delivery, subscriber: toSubscriber(id) }
  if ((await app.storage.outbox.redeliver(filter, app.now())) === 0) throw new AppError('webhook.delivery_not_found')
}

function open({ channels }: App, { userId }: AuthContext): { channel: WebhookChannel; userId: string } {
  const channel = channels.webhooks
  if (!channel) throw new AppError('request.not_found', { message: 'Webhooks of users are turned off on this server.' })
  if (userId === null) throw new AppError('auth.required')
  return { channel, userId }
}

async function openOwn(app: App, id: string, caller: AuthContext) {
  const { channel, userId } = open(app, caller)
  const webhook = await app.storage.userWebhooks.get(id)
  if (webhook?.userId !== userId) throw new AppError('webhook.not_found')
  return { channel, webhook: webhook as UserWebhook }
}

async function storeChanges(app: App, { id, userId }: UserWebhook, changes: UserWebhookChanges): Promise<UserWebhook> {
  const webhook = await app.storage.userWebhooks.update(id, userId, changes)
  if (!webhook) throw new AppError('webhook.not_found')
  return webhook
}

/** Notifies the user, because a webhook reveals the activity of the account. */
const reportChange = (app: App, userId: string): Promise<void> => storeEvents(app, securityFacts(userId, 'webhook'))

function assertUrlAllowed(channel: WebhookChannel, url: string): void {
  if (channel.isUrlAllowed(url)) return
  throw fieldError('url', 'must be a public address: this one belongs to an internal network')
}

/**
 * Returns until when a webhook of this caller gets events: a webhook must not outlive the API token that created it.
 * Throws AppError `auth.interactive` for a token with allowed addresses, because the events would be sent to other
 * addresses.
 */
function assertMaySendTo({ tokenLimits }: AuthContext): number | null {
  if (tokenLimits === null) return null
  if (tokenLimits.allowedIp !== null) throw new AppError('auth.interactive')
  return tokenLimits.expiresAt
}

/** Without path and query, which may contain a credential. */
const hostOf = (url: string): string => new URL(url).host

const toResponse = (webhook: UserWebhook, now: number): Webhook => {
  const { id, name, url, types, createdAt, failingSince, previousUntil } = webhook
  return {
    id,
    name,
    url,
    events: types,
    createdAt,
    failingSince,
    state: failingSince === null ? 'working' : now - failingSince >= FAILED_MS ? 'failed' : 'failing',
    previousSecretUntil: previousUntil !== null && previousUntil > now ? previousUntil : null,
  }
}

const toDelivery = ({ id, type, subject, state, attempts, result, createdAt, nextAt, endedAt }: OutboxEntry) =>
  ({
    id,
    type,
    subject,
    attempts,
    result,
    createdAt,
    endedAt,
    state,
    nextAt: state === 'pending' ? nextAt : null,
  }) as WebhookDelivery
