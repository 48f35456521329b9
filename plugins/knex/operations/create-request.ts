import type { Knex } from 'knex'
import type { CreateRequestInput } from '#core'
import { insertEvents } from '../queries/new-events.js'
import { toRequestRow } from '../rows/request-rows.js'
import { toIdempotencyRow } from '../rows/secret-rows.js'
import { recoverFromDuplicate } from './create-secret.js'

/** Stores a request with its idempotency record and its events, all or nothing. Returns as `RequestStore.create`. */
export async function createRequest(db: Knex, input: CreateRequestInput): Promise<string | null> {
  const { request, now, record, events = [] } = input
  const insert = async (queries: Knex) => {
    // First, because the second of two transactions with the same key waits for the first.
    if (record) await queries('idempotency_records').insert(toIdempotencyRow(record))
    await queries('requests').insert(toRequestRow(request))
    await insertEvents(queries, events)
  }
  try {
    await (record || events.length > 0 ? db.transaction(insert) : insert(db))
    return null
  } catch (error) {
    const created = { table: 'requests', id: request.id } as const
    return (await recoverFromDuplicate(db, { created, now, record }, error)) ?? createRequest(db, input)
  }
}
