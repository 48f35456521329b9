import { redirect } from 'react-router'
import type { ListedUser } from '#shared/api'
import { listUsers } from '../admin-api.js'
import { guarded } from '../load-or-error.js'
import { queryOf, type Wanted, wantedIn } from './user-query.js'

export interface UserPage {
  users: ListedUser[]
  total: number
  wanted: Wanted
}

/** The accounts that the address asks for. */
export const userList = guarded(async ({ request }): Promise<UserPage> => {
  const wanted = wantedIn(new URL(request.url).searchParams)
  const { users, total } = await listUsers(wanted)
  // The last row of the last page was deleted.
  if (users.length === 0 && total > 0) {
    throw redirect(queryOf({ ...wanted, skip: Math.floor((total - 1) / wanted.take) * wanted.take }))
  }
  return { users, total, wanted }
})
