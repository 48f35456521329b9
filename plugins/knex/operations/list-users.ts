import type { Knex } from 'knex'
import type { ListedUser, Page, UserFilter } from '#core'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { hasViewsLeft, whereUnexpired } from '../queries/secret-conditions.js'
import { toUser } from '../rows/account-rows.js'
import type { Row } from '../rows/tables.js'

/** `UserStore.list`. Counts secrets and factors only for the users of the requested page. */
export async function listUsers(
  db: Knex,
  filter: UserFilter,
  { skip, take }: Page,
  now: number,
): Promise<{ users: ListedUser[]; total: number }> {
  const matching = db('users').where((query) => applyFilter(query, filter))
  const total = Number((await matching.clone().count({ total: '*' }).first())?.total ?? 0)
  const rows = await matching.orderBy('username').offset(skip).limit(take)
  const users = rows.map(toUser)
  const ownerIds = users.map(({ id }) => id)
  const counts: Row[] = await whereUnexpired(db('secrets'), now)
    .whereIn('owner_id', ownerIds)
    .where(hasViewsLeft)
    .groupBy('owner_id')
    .select('owner_id')
    .count({ secrets: '*' })
  const secretCounts = new Map(counts.map((row) => [row.owner_id, Number(row.secrets)]))
  const passkeys = await countFactors(db, 'passkeys', ownerIds)
  const authenticators = await countFactors(db, 'authenticators', ownerIds)
  const listed = users.map((user) => ({
    ...user,
    secrets: secretCounts.get(user.id) ?? 0,
    passkeys: passkeys.get(user.id) ?? 0,
    authenticator: authenticators.has(user.id),
  }))
  return { users: listed, total }
}

/** Number of rows by user. */
async function countFactors(
  db: Knex,
  table: 'passkeys' | 'authenticators',
  userIds: string[],
): Promise<Map<string, number>> {
  const rows: Row[] = await db(table)
    .whereIn('user_id', userIds)
    .modify(whereCurrentEpoch, db, table)
    .groupBy('user_id')
    .select('user_id')
    .count({ factors: '*' })
  return new Map(rows.map((row) => [row.user_id, Number(row.factors)]))
}

function applyFilter(query: Knex.QueryBuilder, { search, role }: UserFilter): void {
  if (role !== undefined) query.where({ role })
  if (search === undefined) return
  // "!" as the escape character, because engines disagree about backslashes in string literals.
  const pattern = `%${search.toLowerCase().replace(/[%_!]/g, '!$&')}%`
  query.where((either) => {
    for (const column of ['username', 'email']) either.orWhereRaw(`?? like ? escape '!'`, [column, pattern])
  })
}
