/** Routes of administrators. */
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const listUsers = defineRoute({
  summary: 'List users by username',
  query: api.ListUsers,
  status: 200,
  response: api.Users,
  handle: ({ query }, { admin }) => admin.list(query),
})

const createUser = defineRoute({
  summary: 'Create a user',
  body: api.CreateUser,
  status: 201,
  response: api.ManagedAccount,
  errors: ['auth.email_domain', 'auth.password_common', 'user.name_taken', 'user.email_taken', 'server.busy'],
  handle: ({ body, caller }, { admin }) => admin.create(body, caller),
})

const updateUser = defineRoute({
  summary: 'Change the e-mail address or role of a user; a new role ends all sessions of the user',
  body: api.UpdateUser,
  status: 200,
  response: api.ManagedAccount,
  errors: ['user.not_found', 'user.last_admin', 'user.email_taken', 'auth.email_domain'],
  handle: ({ body, caller }, { admin }) => admin.update(body, caller),
})

const deleteUser = defineRoute({
  summary: 'Delete a user with all secrets and files',
  body: api.DeleteUser,
  status: 200,
  response: api.ManagedAccount,
  errors: ['user.not_found', 'user.last_admin'],
  handle: ({ body, caller }, { admin }) => admin.remove(body.username, caller),
})

const endUserSessions = defineRoute({
  summary: 'End all sessions of a user and delete all API tokens of the user',
  body: api.EndUserSessions,
  status: 200,
  response: api.EndedSessions,
  errors: ['user.not_found'],
  async handle({ body, caller }, { admin }) {
    return { ended: await admin.endSessions(body.username, caller) }
  },
})

const listUserTokens = defineRoute({
  summary: 'List the API tokens of a user',
  query: api.ListUserTokens,
  status: 200,
  response: api.Tokens,
  errors: ['user.not_found'],
  handle: ({ query }, { admin }) => admin.listTokens(query.username),
})

const deleteUserToken = defineRoute({
  summary: 'Delete an API token of a user',
  body: api.DeleteUserToken,
  status: 204,
  errors: ['user.not_found', 'token.not_found'],
  handle: ({ body, caller }, { admin }) => admin.deleteToken(body, caller),
})

const getStorageUsage = defineRoute({
  summary: 'Get how many bytes all files take',
  status: 200,
  response: api.StorageUsage,
  handle: (_, { attachments }) => attachments.storageUsage(),
})

const getSettings = defineRoute({
  summary: 'Get the instance settings',
  status: 200,
  response: api.InstanceSettings,
  handle: (_, { settings }) => settings.current(),
})

const updateSettings = defineRoute({
  summary: 'Change instance settings; effective in all processes within two seconds',
  body: api.UpdateInstanceSettings,
  status: 200,
  response: api.InstanceSettings,
  handle: ({ body, caller }, { settings }) => settings.update(body, caller),
})

const listPluginSettings = defineRoute({
  summary: 'List the instance settings of plugins',
  status: 200,
  response: api.PluginSettings,
  handle: (_, { pluginSettings }) => pluginSettings.list(),
})

const updatePluginSettings = defineRoute({
  summary: 'Change instance settings of plugins; effective in all processes within two seconds',
  body: api.UpdatePluginSettings,
  status: 200,
  response: api.PluginSettings,
  handle: ({ body, caller }, { pluginSettings }) => pluginSettings.update(body, caller),
})

const listAudit = defineRoute({
  summary: 'List entries of the audit log, newest first',
  query: api.ListAudit,
  status: 200,
  response: api.AuditEntries,
  handle({ query: { skip, take, ...filter } }, { audit }) {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    return audit.list(Object.fromEntries(given), { skip, take })
  },
})

// biome-ignore format: one row per route
export const adminRoutes: RouteRow[] = [
  ['GET',    '/admin/users',    'admin', { requires: 'admin' }, listUsers],
  ['POST',   '/admin/users',    'admin', { requires: 'admin' }, createUser],
  ['PUT',    '/admin/users',    'admin', { requires: 'admin' }, updateUser],
  ['DELETE', '/admin/users',    'admin', { requires: 'admin' }, deleteUser],
  ['DELETE', '/admin/sessions', 'admin', { requires: 'admin' }, endUserSessions],
  ['GET',    '/admin/tokens',   'admin', { requires: 'admin' }, listUserTokens],
  ['DELETE', '/admin/tokens',   'admin', { requires: 'admin' }, deleteUserToken],
  ['GET',    '/admin/audit',    'admin', { requires: 'admin' }, listAudit],
  ['GET',    '/admin/usage',    'admin', { requires: 'admin' }, getStorageUsage],
  ['GET',    '/admin/settings', 'admin', { requires: 'admin' }, getSettings],
  ['PUT',    '/admin/settings', 'admin', { requires: 'admin' }, updateSettings],
  ['GET',    '/admin/settings/plugins', 'admin', { requires: 'admin' }, listPluginSettings],
  ['PUT',    '/admin/settings/plugins', 'admin', { requires: 'admin' }, updatePluginSettings],
]
