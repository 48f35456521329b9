import type { Knex } from 'knex'
import { type ApiToken, AppError, type OutboxEvent } from '#core'
import { insertEvents } from '../queries/new-events.js'
import { toTokenRow } from '../rows/account-rows.js'

interface NewToken {
  token: ApiToken
  /** Maximum number of tokens of the user. */
  max: number
  events: OutboxEvent[]
}

/**
 * Inserts a token and events. Call it after `lockUser`: of tokens created at the same moment, each one counts the
 * tokens before it. Throws AppError `storage.conflict` if the user has `max` tokens.
 */
export async function insertToken(tx: Knex.Transaction, { token, max, events }: NewToken, now: number): Promise<void> {
  const others = await tx('api_tokens').where({ user_id: token.userId }).where('expires_at', '>', now).pluck('id')
  if (others.length >= max) throw new AppError('storage.conflict')
  await tx('api_tokens').insert(toTokenRow(token))
  await insertEvents(tx, events)
}
