/** Requests of administrators that the app and the command line send. */
import type { CreateUser, LockOutUser, RevokeUserAccess, UpdatePolicies, UpdateUser } from '../api/index.js'
import type { SettingValue } from '../plugin-setting.js'
import { Access } from '../response-schemas/account-responses.js'
import { InstanceSettings, ManagedAccount, PluginSettings, Users } from '../response-schemas/admin-responses.js'
import { PolicyTable } from '../response-schemas/policies-responses.js'
import type { SendJson } from './send-request.js'

/** An empty `role` or `search` means any. */
export interface UsersQuery {
  search: string
  role?: string | undefined
  skip: number
  take: number
}

export const createAdminClient = (send: SendJson) => ({
  listUsers: (query: UsersQuery) => send({ response: Users, method: 'GET', path: `/admin/users${toQuery(query)}` }),
  createUser: (body: CreateUser) => send({ response: ManagedAccount, method: 'POST', path: '/admin/users', body }),
  updateUser: (body: UpdateUser) => send({ response: ManagedAccount, method: 'PUT', path: '/admin/users', body }),
  removeUser: (username: string) => send({ method: 'DELETE', path: '/admin/users', body: { username } }),
  listAccess: (username: string) =>
    send({ response: Access, method: 'GET', path: `/admin/access${toQuery({ username })}` }),
  revokeAccess: (body: RevokeUserAccess) => send({ method: 'DELETE', path: '/admin/access', body }),
  lockOut: (body: LockOutUser) => send({ response: ManagedAccount, method: 'POST', path: '/admin/lock-out', body }),
  /** Also ends the sessions of the user. */
  resetFactors: (username: string) =>
    send({ response: ManagedAccount, method: 'POST', path: '/admin/factors/reset', body: { username } }),
  readSettings: () => send({ response: InstanceSettings, method: 'GET', path: '/admin/settings' }),
  updateSettings: (body: Partial<InstanceSettings>) =>
    send({ response: InstanceSettings, method: 'PUT', path: '/admin/settings', body }),
  listPluginSettings: () => send({ response: PluginSettings, method: 'GET', path: '/admin/settings/plugins' }),
  updatePluginSettings: (body: Record<string, SettingValue>) =>
    send({ response: PluginSettings, method: 'PUT', path: '/admin/settings/plugins', body }),
  readPolicies: () => send({ response: PolicyTable, method: 'GET', path: '/admin/policies' }),
  updatePolicies: (body: UpdatePolicies) =>
    send({ response: PolicyTable, method: 'PUT', path: '/admin/policies', body }),
})

/** The query string of the values that are set; empty without any. */
export function toQuery(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
