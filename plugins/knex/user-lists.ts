import type { Knex } from 'knex'
import type { ListedUser, Page, UserFilter } from '#core'
import { hasViewsLeft, live } from './conditions.js'
import { toUser } from './people-rows.js'
import type { Row } from './rows.js'

/** `UserStore.list`. The secrets are counted for the users of the page alone. */
export async function listUsers(
  db: Knex,
  filter: UserFilter,
  { skip, take }: Page,
  now: number,
): Promise<{ users: ListedUser[]; total: number }> {
  const matching = db('users').where((query) => narrow(query, filter))
  const total = Number((await matching.clone().count({ total: '*' }).first())?.total ?? 0)
  const rows = await matching.orderBy('username').offset(skip).limit(take)
  const users = rows.map(toUser)
  const owners = users.map(({ id }) => id)
  const counts: Row[] = await live(db('secrets'), now)
    .whereIn('owner_id', owners)
    .where(hasViewsLeft)
    .groupBy('owner_id')
    .select('owner_id')
    .count({ secrets: '*' })
  const secretsOf = new Map(counts.map((row) => [row.owner_id, Number(row.secrets)]))
  return { users: users.map((user) => ({ ...user, secrets: secretsOf.get(user.id) ?? 0 })), total }
}

function narrow(query: Knex.QueryBuilder, { search, role }: UserFilter): void {
  if (role !== undefined) query.where({ role })
  if (search === undefined) return
  // An escape that needs no escaping itself: engines differ in what they take a backslash for.
  const pattern = `%${search.toLowerCase().replace(/[%_!]/g, '!$&')}%`
  query.where((either) => {
    for (const column of ['username', 'email']) either.orWhereRaw(`?? like ? escape '!'`, [column, pattern])
  })
}
