/** The calls of administrators. Each is tried once: somebody is waiting who can try again. */
import type { Account, CreateUser, InstanceSettings, SetUp, SignedIn, UpdateUser, Users } from '#shared/api'
import { createRequest } from '#shared/request'
import { site } from '../../site.js'
import type { Wanted } from '../users/query.js'

const { json } = createRequest({ server: site.base })

export function listUsers({ search, role, skip, take }: Wanted): Promise<Users> {
  const query = new URLSearchParams({ skip: String(skip), take: String(take) })
  if (search) query.set('search', search)
  if (role) query.set('role', role)
  return json({ method: 'GET', path: `/admin/users?${query}` })
}

export const createUser = (body: CreateUser) => json<Account>({ method: 'POST', path: '/admin/users', body })
export const updateUser = (body: UpdateUser) => json<Account>({ method: 'PUT', path: '/admin/users', body })
export const deleteUser = (username: string) =>
  json<Account>({ method: 'DELETE', path: '/admin/users', body: { username } })
export const endSessions = (username: string) =>
  json<unknown>({ method: 'DELETE', path: '/admin/sessions', body: { username } })

export const readSettings = () => json<InstanceSettings>({ method: 'GET', path: '/admin/settings' })
export const saveSettings = (body: Partial<InstanceSettings>) =>
  json<InstanceSettings>({ method: 'PUT', path: '/admin/settings', body })

/** Makes the first administrator, and signs in. */
export const setUp = (body: SetUp) => json<SignedIn>({ method: 'POST', path: '/authentication/setup', body })
