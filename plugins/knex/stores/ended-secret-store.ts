import type { Knex } from 'knex'
import type { EndedSecretFilter, EndedSecretStore, Page } from '#core'
import { deleteExpired } from '../queries/delete-expired.js'
import { newestFirst } from '../queries/newest-first.js'
import { hasViewsLeft } from '../queries/secret-conditions.js'
import { toEndedSecret } from '../rows/ended-secret-rows.js'

const LAST_ENDED_FIRST = newestFirst('ended_at')

export function createEndedSecretStore(db: Knex): EndedSecretStore {
  return {
    list: async (filter, page) => (await selectEnded(db, filter, page)).map(toEndedSecret),
    deleteEnded: (before, limit) => deleteExpired(db, 'ended_secrets', before, limit),
  }
}

/** Each part of the union reads as many rows as the page needs, by its index. */
function selectEnded(db: Knex, filter: EndedSecretFilter, { skip, take }: Page): Knex.QueryBuilder {
  const recorded = selectRecorded(db, filter)
  const onPage = (query: Knex.QueryBuilder) => query.orderBy(LAST_ENDED_FIRST).offset(skip).limit(take)
  if (filter.outcome !== undefined && filter.outcome !== 'expired') return onPage(recorded)
  const firstRows = (query: Knex.QueryBuilder, name: string) =>
    db.select('*').from(
      query
        .orderBy(LAST_ENDED_FIRST)
        .limit(skip + take)
        .as(name),
    )
  return onPage(firstRows(recorded, 'recorded').unionAll(firstRows(selectExpired(db, filter), 'expired')))
}

function selectRecorded(db: Knex, { ownerId, outcome, since, until, after }: EndedSecretFilter): Knex.QueryBuilder {
  const query = db('ended_secrets')
    .where({ owner_id: ownerId, ...(outcome === undefined ? {} : { outcome }) })
    .where('ended_at', '>', since)
    .where('ended_at', '<=', after?.endedAt ?? until)
    .select(
      'id',
      'owner_id',
      'kind',
      'outcome',
      'created_at',
      'ended_at',
      'views',
      'max_views',
      'has_password',
      'files',
    )
  return after ? query.where((later) => whereAfter(later, 'ended_at', after)) : query
}

/**
 * Expired secrets that are not deleted yet. `cleanup_at`, which has an index, equals `expires_at` while a secret has
 * views left.
 */
function selectExpired(db: Knex, { ownerId, since, until, after }: EndedSecretFilter): Knex.QueryBuilder {
  const query = db('secrets')
    .where({ owner_id: ownerId })
    .where('cleanup_at', '>', since)
    .where('cleanup_at', '<=', after?.endedAt ?? until)
    .where(hasViewsLeft)
    .select('id', 'owner_id', 'kind', db.raw("'expired' as outcome"), 'created_at', { ended_at: 'expires_at' }, 'views')
    .select(db.raw('case when prevent_burn then null else max_views end as max_views'))
    .select(db.raw('case when password_hash is null then 0 else 1 end = 1 as has_password'), 'files')
  return after ? query.where((later) => whereAfter(later, 'cleanup_at', after)) : query
}

/** Adds the condition that a row comes after `after`. `column`: when the secret ended. */
const whereAfter = (
  query: Knex.QueryBuilder,
  column: string,
  { id, endedAt }: NonNullable<EndedSecretFilter['after']>,
): Knex.QueryBuilder =>
  query.where(column, '<', endedAt).orWhere((same) => same.where(column, endedAt).where('id', '<', id))
