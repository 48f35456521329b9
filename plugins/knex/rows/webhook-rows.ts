/** Converts rows of webhooks to objects and back. */
import type { UserEventType, UserSubscriber, UserWebhook, UserWebhookChanges } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

export const toSubscriber = (id: string): UserSubscriber => `user:${id}`

export const toWebhookRow = (webhook: UserWebhook): RowOf<'webhooks'> => ({
  id: webhook.id,
  subscriber: toSubscriber(webhook.id),
  user_id: webhook.userId,
  name: webhook.name,
  url: webhook.url,
  types: webhook.types.join(' '),
  secret: webhook.secret,
  previous_secret: webhook.previousSecret,
  previous_until: webhook.previousUntil,
  failing_since: webhook.failingSince,
  created_at: webhook.createdAt,
  epoch: webhook.epoch,
  expires_at: webhook.expiresAt,
})

/** Undefined fields stay unchanged in an update. */
export const toWebhookChanges = ({
  types,
  previousSecret,
  previousUntil,
  failingSince,
  expiresAt,
  ...same
}: UserWebhookChanges) =>
  Object.fromEntries(
    Object.entries({
      ...same,
      types: types?.join(' '),
      previous_secret: previousSecret,
      previous_until: previousUntil,
      failing_since: failingSince,
      expires_at: expiresAt,
    }).filter(([, value]) => value !== undefined),
  )

export const toWebhook = (row: Row): UserWebhook => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  url: row.url,
  types: toTypes(row.types),
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousUntil: toTime(row.previous_until),
  failingSince: toTime(row.failing_since),
  createdAt: Number(row.created_at),
  expiresAt: toTime(row.expires_at),
  epoch: Number(row.epoch),
})

export const toTypes = (words: string): UserEventType[] => (words === '' ? [] : (words.split(' ') as UserEventType[]))

/** Some drivers return numbers as strings. */
const toTime = (value: unknown): number | null => (value === null ? null : Number(value))
