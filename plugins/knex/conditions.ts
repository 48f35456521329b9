/** What the queries about secrets have in common. */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'

/** Narrows to what has not expired. */
export const live = (secrets: Knex.QueryBuilder, now: number) => secrets.where('secrets.expires_at', '>', now)

/** For `where` and `whereNot`, which put it in parentheses. */
export const hasViewsLeft = (query: Knex.QueryBuilder) =>
  query.where('prevent_burn', true).orWhereNull('max_views').orWhere('views', '<', query.client.ref('max_views'))

/** The same about a secret that was read. */
export const isUsedUp = ({ preventBurn, maxViews, views }: SecretMeta) =>
  !preventBurn && maxViews !== null && views >= maxViews

/** The claims of the secret at hand that may still ask for it again. */
export const openClaims = (db: Knex, now: number) =>
  db('claims')
    .where('claims.secret_id', db.ref('secrets.id'))
    .where('claims.acked', false)
    .where('claims.expires_at', '>', now)

/** For `where`: exactly these claims, in a form that every engine answers from the primary key. */
export const areClaims = (claims: { id: string; claimHash: string }[]) => (query: Knex.QueryBuilder) => {
  for (const { id, claimHash } of claims) query.orWhere({ secret_id: id, claim_hash: claimHash })
}
