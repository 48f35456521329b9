import type { Knex } from 'knex'
import type { ListedUser, Page, UserFilter } from '#core'
import { hasViewsLeft, whereUnexpired } from '../queries/secret-conditions.js'
import { toUser } from '../rows/account-rows.js'
import type { Row } from '../rows/secret-rows.js'

/** `UserStore.list`. Counts secrets only for the users of the requested page. */
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
  return { users: users.map((user) => ({ ...user, secrets: secretCounts.get(user.id) ?? 0 })), total }
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
