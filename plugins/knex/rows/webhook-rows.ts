/** Converts rows of webhooks to objects and back. */
import type { UserEventType, UserSubscriber, UserWebhook, UserWebhookChanges } from '#core'
import type { Row } from './secret-rows.js'

export const toSubscriber = (id: string): UserSubscriber => `user:${id}`

export const toWebhookRow = ({ id, userId, createdAt, ...rest }: UserWebhook): Row => ({
  ...{ id, subscriber: toSubscriber(id), user_id: userId, created_at: createdAt },
  ...toWebhookChanges(rest),
})

/** Undefined fields stay unchanged in an update. */
export const toWebhookChanges = ({ types, previousSecret, previousUntil, failingSince, ...same }: UserWebhookChanges) =>
  Object.fromEntries(
    Object.entries({
      ...same,
      types: types?.join(' '),
      previous_secret: previousSecret,
      previous_until: previousUntil,
      failing_since: failingSince,
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
})

export const toTypes = (words: string): UserEventType[] => (words === '' ? [] : (words.split(' ') as UserEventType[]))

/** Some drivers return numbers as strings. */
const toTime = (value: unknown): number | null => (value === null ? null : Number(value))
