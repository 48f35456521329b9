/** API requests of admins. */
import type {
  Account,
  CreateUser,
  InstanceSettings,
  PluginSetting,
  SetUp,
  SignedIn,
  StorageUsage,
  UpdateUser,
  Users,
} from '#shared/api'
import type { SettingValue } from '#shared/plugin-setting'
import { requestJson } from '../../lib/api.js'
import type { UserQuery } from './user-query.js'

export function listUsers({ search, role, skip, take }: UserQuery): Promise<Users> {
  const query = new URLSearchParams({ skip: String(skip), take: String(take) })
  if (search) query.set('search', search)
  if (role) query.set('role', role)
  return requestJson({ method: 'GET', path: `/admin/users?${query}` })
}

export const createUser = (body: CreateUser) => requestJson<Account>({ method: 'POST', path: '/admin/users', body })
export const updateUser = (body: UpdateUser) => requestJson<Account>({ method: 'PUT', path: '/admin/users', body })
export const deleteUser = (username: string) =>
  requestJson<Account>({ method: 'DELETE', path: '/admin/users', body: { username } })
export const endUserSessions = (username: string) =>
  requestJson<unknown>({ method: 'DELETE', path: '/admin/sessions', body: { username } })

export const loadInstanceSettings = () => requestJson<InstanceSettings>({ method: 'GET', path: '/admin/settings' })
export const loadStorageUsage = () => requestJson<StorageUsage>({ method: 'GET', path: '/admin/usage' })
export const saveInstanceSettings = (body: Partial<InstanceSettings>) =>
  requestJson<InstanceSettings>({ method: 'PUT', path: '/admin/settings', body })

export const loadPluginSettings = () => requestJson<PluginSetting[]>({ method: 'GET', path: '/admin/settings/plugins' })
export const savePluginSettings = (body: Record<string, SettingValue>) =>
  requestJson<PluginSetting[]>({ method: 'PUT', path: '/admin/settings/plugins', body })

/** Creates the first admin and signs in. */
export const createFirstAdmin = (body: SetUp) =>
  requestJson<SignedIn>({ method: 'POST', path: '/authentication/setup', body })
