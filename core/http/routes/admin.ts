/** Routes of administrators. */
import {
  createUser,
  deleteUser,
  deleteUserToken,
  endUserSessions,
  listUserAccess,
  listUsers,
  listUserTokens,
  lockOutUser,
  resetUserFactors,
  revokeUserAccess,
  updateUser,
} from '../../auth/administer-users.js'
import { readOverview } from '../../overview/read-overview.js'
import { explainPolicy, listPolicies, updatePolicies } from '../../settings/manage-policies.js'
import { listPresets, updatePresets } from '../../settings/manage-presets.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const listUsersRoute = defineRoute({
  summary: 'List users by username',
  query: api.ListUsers,
  response: api.Users,
  handle: ({ query }, app) => listUsers(app, query),
})

const createUserRoute = defineRoute({
  summary: 'Create a user',
  body: api.CreateUser,
  status: 201,
  response: api.ManagedAccount,
  errors: [
    'auth.interactive',
    'auth.email_domain',
    'auth.password_common',
    'user.name_taken',
    'user.email_taken',
    'server.busy',
  ],
  handle: ({ body, caller }, app) => createUser(app, body, caller),
})

const updateUserRoute = defineRoute({
  summary:
    'Change the e-mail address, role or groups of a user, or suspend the user; a new role ends all sessions of the user',
  body: api.UpdateUser,
  response: api.ManagedAccount,
  errors: ['auth.interactive', 'user.not_found', 'user.last_admin', 'user.email_taken', 'auth.email_domain'],
  handle: ({ body, caller }, app) => updateUser(app, body, caller),
})

const deleteUserRoute = defineRoute({
  summary: 'Delete a user with all secrets and files',
  body: api.DeleteUser,
  response: api.ManagedAccount,
  errors: ['user.not_found', 'user.last_admin'],
  handle: ({ body, caller }, app) => deleteUser(app, body.username, caller),
})

const endUserSessionsRoute = defineRoute({
  summary: 'End all sessions of a user and delete all API tokens of the user',
  body: api.EndUserSessions,
  response: api.EndedSessions,
  errors: ['user.not_found'],
  async handle({ body, caller }, app) {
    return { ended: await endUserSessions(app, body.username, caller) }
  },
})

const lockOutUserRoute = defineRoute({
  summary: 'Lock everyone out of an account, except the access to keep, and optionally set a new password',
  body: api.LockOutUser,
  response: api.ManagedAccount,
  errors: [
    'user.not_found',
    'auth.interactive',
    'auth.last_way',
    'auth.password_common',
    'auth.password_same',
    'server.busy',
  ],
  handle: ({ body, caller }, app) => lockOutUser(app, body, caller),
})

const resetFactorsRoute = defineRoute({
  summary: 'Remove the second factors of a user and end all sessions of the user',
  body: api.ResetFactors,
  response: api.ManagedAccount,
  errors: ['user.not_found'],
  handle: ({ body, caller }, app) => resetUserFactors(app, body.username, caller),
})

const listUserAccessRoute = defineRoute({
  summary: 'List the sessions, API tokens, identities and webhooks of a user',
  query: api.ListUserAccess,
  response: api.Access,
  errors: ['user.not_found'],
  handle: ({ query }, app) => listUserAccess(app, query.username),
})

const revokeUserAccessRoute = defineRoute({
  summary: 'End one session, API token, identity or webhook of a user',
  body: api.RevokeUserAccess,
  errors: ['user.not_found', 'access.not_found'],
  handle: ({ body, caller }, app) => revokeUserAccess(app, body, caller),
})

const listUserTokensRoute = defineRoute({
  summary: 'List the API tokens of a user',
  query: api.ListUserTokens,
  response: api.Tokens,
  errors: ['user.not_found'],
  handle: ({ query }, app) => listUserTokens(app, query.username),
})

const deleteUserTokenRoute = defineRoute({
  summary: 'Delete an API token of a user',
  body: api.DeleteUserToken,
  errors: ['user.not_found', 'token.not_found'],
  handle: ({ body, caller }, app) => deleteUserToken(app, body, caller),
})

const getOverviewRoute = defineRoute({
  summary: 'Get the number of users, secrets and bytes of files, failed deliveries, and problems of the instance',
  response: api.Overview,
  handle: (_, app, { version }) => readOverview(app, version),
})

const getSettingsRoute = defineRoute({
  summary: 'Get the instance settings',
  response: api.InstanceSettings,
  handle: (_, { settings }) => settings.current(),
})

const updateSettingsRoute = defineRoute({
  summary: 'Change instance settings; effective in all processes within two seconds',
  body: api.UpdateInstanceSettings,
  response: api.InstanceSettings,
  handle: ({ body, caller }, { settings }) => settings.update(body, caller),
})

const listPoliciesRoute = defineRoute({
  summary: 'List the policies: allowed options of audiences for secrets, requests and files',
  response: api.PolicyTable,
  handle: (_, app) => listPolicies(app),
})

const updatePoliciesRoute = defineRoute({
  summary: 'Replace or remove policies; effective in all processes within two seconds',
  body: api.UpdatePolicies,
  response: api.PolicyTable,
  errors: ['settings.changed'],
  handle: ({ body, caller }, app) => updatePolicies(app, body, caller),
})

const explainPolicyRoute = defineRoute({
  summary: 'Explain the policy of a user or of visitors: each value with the rows that set it',
  query: api.ExplainPolicy,
  response: api.ExplainedPolicy,
  errors: ['user.not_found'],
  handle: ({ query }, app) => explainPolicy(app, query.username),
})

const listPresetsRoute = defineRoute({
  summary: 'List the presets: named options for new secrets',
  response: api.Presets,
  handle: (_, app) => listPresets(app),
})

const updatePresetsRoute = defineRoute({
  summary: 'Replace all presets; effective in all processes within two seconds',
  body: api.UpdatePresets,
  response: api.Presets,
  errors: ['settings.changed'],
  handle: ({ body, caller }, app) => updatePresets(app, body, caller),
})

const listPluginSettingsRoute = defineRoute({
  summary: 'List the instance settings of plugins',
  response: api.PluginSettings,
  handle: (_, { settings }) => settings.plugins.list(),
})

const updatePluginSettingsRoute = defineRoute({
  summary: 'Change instance settings of plugins; effective in all processes within two seconds',
  body: api.UpdatePluginSettings,
  response: api.PluginSettings,
  handle: ({ body, caller }, { settings }) => settings.plugins.update(body, caller),
})

const listAuditRoute = defineRoute({
  summary: 'List entries of the audit log, newest first',
  query: api.ListAudit,
  response: api.AuditEntries,
  handle({ query: { skip, take, ...filter } }, { audit }) {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    return audit.list(Object.fromEntries(given), { skip, take })
  },
})

// biome-ignore format: one row per route
export const adminRoutes: RouteRow[] = [
  ['GET',    '/admin/users',            'admin', { requires: 'admin:read' },                      listUsersRoute],
  ['POST',   '/admin/users',            'admin', { requires: 'admin:users', proof: 'always' },    createUserRoute],
  ['PUT',    '/admin/users',            'admin', { requires: 'admin:users', proof: 'always' },    updateUserRoute],
  ['DELETE', '/admin/users',            'admin', { requires: 'admin:users', proof: 'always' },    deleteUserRoute],
  ['DELETE', '/admin/sessions',         'admin', { requires: 'admin:users', proof: 'always' },    endUserSessionsRoute],
  ['POST',   '/admin/lock-out',         'admin', { requires: 'admin:users', proof: 'always' },    lockOutUserRoute],
  ['POST',   '/admin/factors/reset',    'admin', { requires: 'admin:users', proof: 'always' },    resetFactorsRoute],
  ['GET',    '/admin/access',           'admin', { requires: 'admin:read' },                      listUserAccessRoute],
  ['DELETE', '/admin/access',           'admin', { requires: 'admin:users', proof: 'always' },    revokeUserAccessRoute],
  ['GET',    '/admin/tokens',           'admin', { requires: 'admin:read' },                      listUserTokensRoute],
  ['DELETE', '/admin/tokens',           'admin', { requires: 'admin:users', proof: 'always' },    deleteUserTokenRoute],
  ['GET',    '/admin/audit',            'admin', { requires: 'admin:read' },                      listAuditRoute],
  ['GET',    '/admin/overview',         'admin', { requires: 'admin:read' },                      getOverviewRoute],
  ['GET',    '/admin/settings',         'admin', { requires: 'admin:read' },                      getSettingsRoute],
  ['PUT',    '/admin/settings',         'admin', { requires: 'admin:settings', proof: 'always' }, updateSettingsRoute],
  ['GET',    '/admin/policies',         'admin', { requires: 'admin:read' },                      listPoliciesRoute],
  ['PUT',    '/admin/policies',         'admin', { requires: 'admin:settings', proof: 'always' }, updatePoliciesRoute],
  ['GET',    '/admin/policies/explain', 'admin', { requires: 'admin:read' },                      explainPolicyRoute],
  ['GET',    '/admin/presets',          'admin', { requires: 'admin:read' },                      listPresetsRoute],
  ['PUT',    '/admin/presets',          'admin', { requires: 'admin:settings', proof: 'always' }, updatePresetsRoute],
  ['GET',    '/admin/settings/plugins', 'admin', { requires: 'admin:read' },                      listPluginSettingsRoute],
  ['PUT',    '/admin/settings/plugins', 'admin', { requires: 'admin:settings', proof: 'always' }, updatePluginSettingsRoute],
]
