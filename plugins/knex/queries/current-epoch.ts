import type { Knex } from 'knex'

/** Only rows of a table that name the current security epoch of their user. Use with `modify`. */
export function whereCurrentEpoch(query: Knex.QueryBuilder, db: Knex, table: string): void {
  const owner = db('users')
    .select(db.raw('1'))
    .where('users.id', db.ref(`${table}.user_id`))
    .where('users.epoch', db.ref(`${table}.epoch`))
  query.whereExists(owner)
}
