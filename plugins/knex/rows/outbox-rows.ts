/** Converts rows of the outbox to entries and back. */
import type { OutboxEntry, OutboxEvent } from '#core'
import type { Row } from './secret-rows.js'

export const toOutboxRow = (event: OutboxEvent): Row => ({
  id: event.id,
  subscriber: event.subscriber,
  subject: event.subject,
  type: event.type,
  data: event.data,
  created_at: event.createdAt,
  state: 'pending',
  attempts: 0,
  next_at: event.createdAt,
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
