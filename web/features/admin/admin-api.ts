/** API requests of admins. */
import type { CreateUser, LockOutUser, RevokeUserAccess, SetUp, UpdatePolicies, UpdateUser } from '#shared/api'
import type { SettingValue } from '#shared/plugin-setting'
import { Access, SignedIn } from '#shared/response-schemas/account-responses'
import {
  InstanceSettings,
  ManagedAccount,
  Overview,
  PluginSettings,
  Users,
} from '#shared/response-schemas/admin-responses'
import { PolicyTable } from '#shared/response-schemas/policies-responses'
import { requestJson } from '../../lib/account-request.js'
import type { UserQuery } from './user-query.js'

export function listUsers({ search, role, skip, take }: UserQuery): Promise<Users> {
  const query = new URLSearchParams({ skip: String(skip), take: String(take) })
  if (search) query.set('search', search)
  if (role) query.set('role', role)
  return requestJson({ response: Users, method: 'GET', path: `/admin/users?${query}` })
}

export const createUser = (body: CreateUser) =>
  requestJson({ response: ManagedAccount, method: 'POST', path: '/admin/users', body })
export const updateUser = (body: UpdateUser) =>
  requestJson({ response: ManagedAccount, method: 'PUT', path: '/admin/users', body })
export const deleteUser = (username: string) =>
  requestJson({ response: ManagedAccount, method: 'DELETE', path: '/admin/users', body: { username } })
export const listUserAccess = (username: string) =>
  requestJson({
    response: Access,
    method: 'GET',
    path: `/admin/access?${new URLSearchParams({ username })}`,
  })
export const revokeUserAccess = (body: RevokeUserAccess) =>
  requestJson({ method: 'DELETE', path: '/admin/access', body })
export const lockOutUser = (body: LockOutUser) =>
  requestJson({ response: ManagedAccount, method: 'POST', path: '/admin/lock-out', body })
/** Also ends the sessions of the user. */
export const resetFactors = (username: string) =>
  requestJson({ response: ManagedAccount, method: 'POST', path: '/admin/factors/reset', body: { username } })

export const loadInstanceSettings = () =>
  requestJson({ response: InstanceSettings, method: 'GET', path: '/admin/settings' })
export const loadOverview = () => requestJson({ response: Overview, method: 'GET', path: '/admin/overview' })
export const saveInstanceSettings = (body: Partial<InstanceSettings>) =>
  requestJson({ response: InstanceSettings, method: 'PUT', path: '/admin/settings', body })

export const loadPluginSettings = () =>
  requestJson({ response: PluginSettings, method: 'GET', path: '/admin/settings/plugins' })
export const savePluginSettings = (body: Record<string, SettingValue>) =>
  requestJson({ response: PluginSettings, method: 'PUT', path: '/admin/settings/plugins', body })

export const loadPolicies = () => requestJson({ response: PolicyTable, method: 'GET', path: '/admin/policies' })
export const savePolicies = (body: UpdatePolicies) =>
  requestJson({ response: PolicyTable, method: 'PUT', path: '/admin/policies', body })

/** Creates the first admin and signs in. */
export const createFirstAdmin = (body: SetUp) =>
  requestJson({ response: SignedIn, method: 'POST', path: '/authentication/setup', body })
