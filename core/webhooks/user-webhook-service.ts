/** Use cases of the caller's own webhooks. */
import { randomBytes } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { OutboxEntry, OutboxStore } from '../contracts/outbox.js'
import type { Page } from '../contracts/page.js'
import type { UserWebhook } from '../contracts/user-webhooks.js'
import { createEventIds } from '../events/event-ids.js'
import { toSubscriber } from '../events/user-webhook-index.js'
import { AppError, isAppError } from '../lib/errors.js'
import type {
  CreatedWebhook,
  CreateWebhook,
  PingedWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
} from '../shared/api/index.js'
import { recordHealth, type SendDeps, sendToWebhook } from './send-to-webhook.js'

/** A webhook that has failed for so long is shown as failed. */
const FAILED_MS = 3 * 24 * 60 * 60_000

interface Deps extends SendDeps {
  outbox: Pick<OutboxStore, 'list' | 'redeliver'>
  audit: Audit
  /** Reads all webhooks into the index of this process. */
  load(): Promise<void>
  /** Called after each change: updates the index in all processes. */
  onChange(): Promise<void>
}

/**
 * Every method throws AppError `auth.required` without an account, and `webhook.not_found` for an unknown webhook, also for one of
 * another user.
 */
export interface UserWebhookService {
  /** False: the operator has not turned webhooks of users on. The methods then throw AppError `request.not_found`. */
  isEnabled: boolean
  /** Called once, before the first request: which users have webhooks is kept in memory. */
  load(): Promise<void>
  /** Newest first. */
  list(caller: AuthContext): Promise<Webhook[]>
  /**
   * The only response with the secret. Throws AppError `webhook.limit_reached`, `request.invalid` for the field `url`, or
   * `auth.required` when the session of the caller was ended after the request began.
   */
  create(body: CreateWebhook, caller: AuthContext): Promise<CreatedWebhook>
  /** Throws AppError `request.invalid` for the field `url`. */
  update(id: string, body: UpdateWebhook, caller: AuthContext): Promise<Webhook>
  /** Deletes a webhook with its events. */
  remove(id: string, caller: AuthContext): Promise<void>
  /** Creates a new secret. The old one also signs for a day. */
  rotate(id: string, caller: AuthContext): Promise<CreatedWebhook>
  /** Sends a `ping` now, and once only. */
  ping(id: string, caller: AuthContext): Promise<PingedWebhook>
  /** Newest first. */
  listDeliveries(id: string, page: Page, caller: AuthContext): Promise<WebhookDelivery[]>
  /** Delivers an event again. Throws AppError `webhook.delivery_not_found`. */
  redeliver(id: string, delivery: string, caller: AuthContext): Promise<void>
}

/** Null: the instance has no webhooks of users. */
export function userWebhookService(deps: Deps | null): UserWebhookService {
  if (deps === null) return DISABLED
  return {
    isEnabled: true,
    load: deps.load,
    async list(caller) {
      const webhooks = await deps.store.list(requireUser(caller))
      return webhooks.map((webhook) => toResponse(webhook, deps.now()))
    },
    create: (body, caller) => createWebhook(deps, body, caller),
    update: (id, body, caller) => updateWebhook(deps, id, body, caller),
    async remove(id, caller) {
      if (!(await deps.store.remove(id, requireUser(caller)))) throw new AppError('webhook.not_found')
      await deps.onChange()
      await deps.audit({ action: 'webhook.deleted', caller, subject: id })
    },
    rotate: (id, caller) => rotateSecret(deps, id, caller),
    ping: (id, caller) => pingWebhook(deps, id, caller),
    async listDeliveries(id, page, caller) {
      await findOwn(deps, id, caller)
      return (await deps.outbox.list({ subscriber: toSubscriber(id) }, page)).map(toDelivery)
    },
    async redeliver(id, delivery, caller) {
      await findOwn(deps, id, caller)
      const filter = { id: delivery, subscriber: toSubscriber(id) }
      if ((await deps.outbox.redeliver(filter, deps.now())) === 0) throw new AppError('webhook.delivery_not_found')
    },
  }
}

async function createWebhook(deps: Deps, body: CreateWebhook, caller: AuthContext): Promise<CreatedWebhook> {
  const { store, sender, secrets, audit, now } = deps
  const { name, url, events = [] } = body
  const userId = requireUser(caller)
  assertUrlAllowed(deps, url)
  const id = randomBytes(16).toString('hex')
  const { secret, encrypted } = secrets.create(id)
  const webhook: UserWebhook = {
    ...{ id, userId, name, url, types: [...new Set(events)], secret: encrypted },
    ...{ previousSecret: null, previousUntil: null, failingSince: null, createdAt: now() },
  }
  await store.create(webhook, sender.maxPerUser, caller.sessionId).catch((error) => {
    throw isAppError(error, 'storage.conflict') ? new AppError('webhook.limit_reached') : error
  })
  await deps.onChange()
  await audit({ action: 'webhook.created', caller, subject: id, detail: { host: hostOf(url) } })
  return { ...toResponse(webhook, now()), secret }
}

async function updateWebhook(deps: Deps, id: string, body: UpdateWebhook, caller: AuthContext): Promise<Webhook> {
  const { name, url, events } = body
  const { url: before } = await findOwn(deps, id, caller)
  if (url !== undefined) assertUrlAllowed(deps, url)
  const isMoved = url !== undefined && url !== before
  const webhook = await deps.store.update(id, requireUser(caller), {
    ...(name !== undefined && { name }),
    ...(events !== undefined && { types: [...new Set(events)] }),
    ...(isMoved && { url, failingSince: null }),
  })
  if (!webhook) throw new AppError('webhook.not_found')
  await deps.onChange()
  await deps.audit({ action: 'webhook.changed', caller, subject: id, detail: { host: hostOf(webhook.url) } })
  return toResponse(webhook, deps.now())
}

async function rotateSecret(deps: Deps, id: string, caller: AuthContext): Promise<CreatedWebhook> {
  const { secret, changes } = deps.secrets.rotate(await findOwn(deps, id, caller), deps.now())
  const webhook = await deps.store.update(id, requireUser(caller), changes)
  if (!webhook) throw new AppError('webhook.not_found')
  await deps.audit({ action: 'webhook.rotated', caller, subject: id })
  return { ...toResponse(webhook, deps.now()), secret }
}

const nextEventId = createEventIds()

async function pingWebhook(deps: Deps, id: string, caller: AuthContext): Promise<PingedWebhook> {
  const webhook = await findOwn(deps, id, caller)
  const at = deps.now()
  const outcome = await sendToWebhook(deps, webhook, { id: nextEventId(at), type: 'ping', at, data: {} })
  if (outcome.isDelivered) await recordHealth(deps.store, webhook, [outcome], deps.now())
  return { delivered: outcome.isDelivered, result: outcome.result }
}

async function findOwn({ store }: Deps, id: string, caller: AuthContext): Promise<UserWebhook> {
  const webhook = await store.get(id)
  if (webhook?.userId !== requireUser(caller)) throw new AppError('webhook.not_found')
  return webhook as UserWebhook
}

function requireUser({ userId }: AuthContext): string {
  if (userId === null) throw new AppError('auth.required')
  return userId
}

function assertUrlAllowed({ sender }: Deps, url: string): void {
  if (sender.isUrlAllowed(url)) return
  const message = 'url: must be a public address: this one belongs to an internal network'
  throw new AppError('request.invalid', { field: 'url', message })
}

/** Without path and query, which may contain a credential. */
const hostOf = (url: string): string => new URL(url).host

const toResponse = (webhook: UserWebhook, now: number): Webhook => {
  const { id, name, url, types, createdAt, failingSince, previousUntil } = webhook
  return {
    ...{ id, name, url, events: types, createdAt, failingSince },
    state: failingSince === null ? 'working' : now - failingSince >= FAILED_MS ? 'failed' : 'failing',
    previousSecretUntil: previousUntil !== null && previousUntil > now ? previousUntil : null,
  }
}

const toDelivery = ({ id, type, subject, state, attempts, result, createdAt, nextAt, endedAt }: OutboxEntry) =>
  ({
    ...{ id, type, subject, attempts, result, createdAt, endedAt },
    // A summary of dropped events waits for the events before it.
    state: state === 'counting' ? 'pending' : state,
    nextAt: state === 'pending' ? nextAt : null,
  }) as WebhookDelivery

const refuse = async (): Promise<never> => {
  throw new AppError('request.not_found', { message: 'This server has no webhooks of users.' })
}

const DISABLED: UserWebhookService = {
  isEnabled: false,
  load: async () => {},
  ...{ list: refuse, create: refuse, update: refuse, remove: refuse, rotate: refuse },
  ...{ ping: refuse, listDeliveries: refuse, redeliver: refuse },
}
