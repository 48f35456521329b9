/** Conditions that the queries about secrets and claims share. */
import type { Knex } from 'knex'
import type { Queries } from '../connection/batch-transaction.js'

/** Adds the condition that the secret has not expired. */
export const whereUnexpired = (secrets: Knex.QueryBuilder, now: number) => secrets.where('secrets.expires_at', '>', now)

/** For `where` and `whereNot`, which add parentheses. */
export const hasViewsLeft = (query: Knex.QueryBuilder) =>
  query.where('prevent_burn', true).orWhereNull('max_views').orWhere('views', '<', query.client.ref('max_views'))

/** Subquery: the open claims of the secret in the outer query. An open claim may view the secret again. */
export const openClaims = (db: Queries, now: number) =>
  db('claims')
    .where('claims.secret_id', db.ref('secrets.id'))
    .where('claims.acked', false)
    .where('claims.expires_at', '>', now)

/** Subquery: the files of the secret in the outer query that have not ended. */
export const liveFiles = (db: Queries, now: number) =>
  db('attachments').where('attachments.secret_id', db.ref('secrets.id')).where('attachments.expires_at', '>', now)

/** For `where`: the secrets that `burn` deletes. */
export const isBurnable = (db: Queries, now: number) => (query: Knex.QueryBuilder) =>
  query
    .where('secrets.expires_at', '>', now)
    .where((either) => either.where(hasViewsLeft).orWhereExists(openClaims(db, now)).orWhereExists(liveFiles(db, now)))

/** For `where`: exactly these claims, in a form for which every engine uses the primary key. */
export const matchesClaims = (claims: { id: string; claimHash: string }[]) => (query: Knex.QueryBuilder) => {
  for (const { id, claimHash } of claims) query.orWhere({ secret_id: id, claim_hash: claimHash })
}
