/** Durable events of users and API tokens. Each is empty unless a subscriber wants it. */
import type { DurableEvents, OutboxEvent } from '../contracts/outbox.js'
import type { ApiToken } from '../contracts/tokens.js'
import type { EventService } from '../events/event-service.js'

type Events = Pick<EventService, 'create'>

const subjectOf = (userId: string): string => `user:${userId}`

/** `provider`: id of the auth provider. */
export const userCreatedEvents = (events: Events, userId: string, provider: string): OutboxEvent[] =>
  events.create('user.created', subjectOf(userId), { userId, provider })

export const userDeletedEvents = (events: Events, userId: string): OutboxEvent[] =>
  events.create('user.deleted', subjectOf(userId), { userId })

/** `language`: of the request; null: unknown. */
export const passwordResetEvents = (events: Events, userId: string, language: string | null): OutboxEvent[] =>
  events.create('user.reset_requested', subjectOf(userId), { userId, language })

/** `language`: of the request; null: unknown. */
export const verificationEvents = (events: Events, userId: string, language: string | null): OutboxEvent[] =>
  events.create('user.verification_requested', subjectOf(userId), { userId, language })

export const newDeviceEvents = (events: Events, data: DurableEvents['user.new_device']): OutboxEvent[] =>
  events.create('user.new_device', subjectOf(data.userId), data)

export const tokenCreatedEvents = (events: Events, { id: tokenId, userId, expiresAt }: ApiToken): OutboxEvent[] =>
  events.create('token.created', subjectOf(userId), { tokenId, userId, expiresAt })

export const tokenDeletedEvents = (events: Events, tokenId: string, userId: string): OutboxEvent[] =>
  events.create('token.deleted', subjectOf(userId), { tokenId, userId })
