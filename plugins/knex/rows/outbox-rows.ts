/** Converts rows of the outbox to entries and back. */
import { type OutboxEntry, type OutboxEvent, QUEUE_FULL } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toRow } from './convert-rows.js'
import type { Row } from './tables.js'

export const toOutboxRow = (event: OutboxEvent): RowOf<'outbox'> =>
  toRow('outbox', {
    ...event,
    state: event.isQueueFull ? 'dead' : 'pending',
    attempts: 0,
    nextAt: event.createdAt,
    endedAt: event.isQueueFull ? event.createdAt : null,
    result: event.isQueueFull ? QUEUE_FULL : null,
  })

export const toOutboxEntry = (row: Row): OutboxEntry => fromRow('outbox', row)
