/** Converts rows of the outbox to entries and back. */
import { type OutboxEntry, type OutboxEvent, QUEUE_FULL } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

export const toOutboxRow = (event: OutboxEvent): RowOf<'outbox'> => ({
  id: event.id,
  subscriber: event.subscriber,
  subject: event.subject,
  type: event.type,
  data: event.data,
  created_at: event.createdAt,
  state: event.isQueueFull ? 'dead' : 'pending',
  attempts: 0,
  next_at: event.createdAt,
  ended_at: event.isQueueFull ? event.createdAt : null,
  result: event.isQueueFull ? QUEUE_FULL : null,
})

export const toOutboxEntry = (row: Row): OutboxEntry => ({
  id: row.id,
  subscriber: row.subscriber,
  subject: row.subject,
  type: row.type,
  data: row.data,
  createdAt: Number(row.created_at),
  state: row.state,
  attempts: row.attempts,
  nextAt: Number(row.next_at),
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
  result: row.result,
})
