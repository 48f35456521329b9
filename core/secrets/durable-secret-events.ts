/** Durable events of secrets. Each is empty unless a subscriber wants it. */
import type { OutboxEvent } from '../contracts/outbox.js'
import { isUsedUp, viewsLeft } from '../contracts/secret-state.js'
import type { PasswordAttempts, SecretMeta } from '../contracts/storage.js'
import type { EventService } from '../events/event-service.js'

type Events = Pick<EventService, 'create' | 'isWanted'>

const subjectOf = (secretId: string): string => `secret:${secretId}`

const toOwnedData = ({ id: secretId, ownerId, notify, createdAt }: SecretMeta) => ({
  ...{ secretId, ownerId, notify, createdAt },
})

export function createdEvents(events: Events, secret: SecretMeta): OutboxEvent[] {
  const { id: secretId, ownerId, kind, expiresAt, maxViews, files, passwordHash, allowedIp, notify } = secret
  const has = { hasPassword: passwordHash !== null, hasAllowedIp: allowedIp !== null }
  return events.create('secret.created', subjectOf(secretId), {
    ...{ secretId, ownerId, kind, expiresAt, maxViews, files },
    ...{ ...has, notify },
  })
}

/** Events of a counted view; undefined if no subscriber wants them. */
export function toViewedEvents(events: Events): ((secret: SecretMeta) => OutboxEvent[]) | undefined {
  if (!events.isWanted('secret.viewed', 'secret.burned')) return undefined
  return (secret) => {
    const [subject, common, left] = [subjectOf(secret.id), toOwnedData(secret), viewsLeft(secret)]
    const { views } = secret
    const viewed = events.create('secret.viewed', subject, { ...common, views, viewsLeft: left })
    if (left !== 0) return viewed
    return [...viewed, ...events.create('secret.burned', subject, { ...common, reason: 'last-view', views })]
  }
}

/** Events of a burn on request. Empty for a used-up secret: its last view was its end. */
export function burnedEvents(events: Events, secret: SecretMeta): OutboxEvent[] {
  if (isUsedUp(secret)) return []
  const { id, views } = secret
  return events.create('secret.burned', subjectOf(id), { ...toOwnedData(secret), reason: 'request', views })
}

/** Undefined if no subscriber wants them. */
export function toExpiredEvents(events: Events): ((secret: SecretMeta) => OutboxEvent[]) | undefined {
  if (!events.isWanted('secret.expired')) return undefined
  return (secret) =>
    events.create('secret.expired', subjectOf(secret.id), { ...toOwnedData(secret), views: secret.views })
}

/** Events of a counted wrong password; undefined if no subscriber wants them. */
export function toPasswordEvents(
  events: Events,
  secret: SecretMeta,
): ((attempts: PasswordAttempts) => OutboxEvent[]) | undefined {
  if (!events.isWanted('secret.password_wrong', 'secret.locked')) return undefined
  return ({ attemptsLeft, lockedUntil }) => {
    const subject = subjectOf(secret.id)
    const wrong = events.create('secret.password_wrong', subject, {
      secretId: secret.id,
      ownerId: secret.ownerId,
      attemptsLeft,
    })
    if (attemptsLeft > 0) return wrong
    return [...wrong, ...events.create('secret.locked', subject, { ...toOwnedData(secret), lockedUntil })]
  }
}

/** A wrong password of a public secret, which is not counted. */
export const publicPasswordEvents = (events: Events, { id: secretId, ownerId }: SecretMeta): OutboxEvent[] =>
  events.create('secret.password_wrong', subjectOf(secretId), { secretId, ownerId, attemptsLeft: null })

export const addressEvents = (events: Events, { id: secretId, ownerId }: SecretMeta): OutboxEvent[] =>
  events.create('secret.address_refused', subjectOf(secretId), { secretId, ownerId })
