/** Converts rows of webhooks to objects and back. */
import type { UserSubscriber, UserWebhook, UserWebhookChanges } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toChangedColumns, toRow, toWords } from './convert-rows.js'
import type { Row } from './tables.js'

export const toSubscriber = (id: string): UserSubscriber => `user:${id}`

export const toWebhookRow = (webhook: UserWebhook): RowOf<'webhooks'> =>
  toRow('webhooks', { ...webhook, subscriber: toSubscriber(webhook.id), types: webhook.types.join(' ') })

export const toWebhookChanges = ({ types, ...changes }: UserWebhookChanges): Row =>
  toChangedColumns('webhooks', { ...changes, types: types?.join(' ') })

export const toWebhook = (row: Row): UserWebhook => ({
  ...fromRow('webhooks', row, 'subscriber'),
  types: toWords(row.types),
})
