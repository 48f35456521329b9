/** Administration of the instance of this machine, with the use cases of the server. The audit log shows `(shell)`. */
import {
  burnSecret,
  createSecret,
  createUser,
  deleteUser,
  deleteUserToken,
  endUserSessions,
  explainPolicy,
  LOCAL_CLI,
  listPolicies,
  listPresets,
  listUserAccess,
  listUsers,
  listUserTokens,
  lockOutUser,
  resetUserFactors,
  revokeUserAccess,
  updatePolicies,
  updatePresets,
  updateUser,
} from '#core/runtime'
import { CreateUser, UpdatePolicies, UpdatePresets } from '#shared/api'
import { type InstanceSettings, mapSettings, SETTING_NAMES } from '#shared/instance-settings'
import type { Administration } from './administration.js'
import type { LocalApp } from './local-app.js'

export function toLocalAdministration(app: LocalApp): Administration {
  const { storage, publicUrl, passwordMax, settings, audit } = app
  return {
    publicUrl,
    passwordMax,
    listUsers: (query) => listUsers(app, query),
    async findUser(username) {
      const user = await storage.users.find(username)
      return user && { username, email: user.email, role: user.role, groups: user.assignedGroups }
    },
    createUser: (user) => createUser(app, CreateUser.parse(user), LOCAL_CLI),
    updateUser: (changes) => updateUser(app, changes, LOCAL_CLI),
    endSessions: async (username) => ({ ended: await endUserSessions(app, username, LOCAL_CLI) }),
    listAccess: (username) => listUserAccess(app, username),
    revokeAccess: (access) => revokeUserAccess(app, access, LOCAL_CLI),
    lockOut: (order) => lockOutUser(app, order, LOCAL_CLI),
    resetFactors: (username) => resetUserFactors(app, username, LOCAL_CLI),
    removeUser: (username) => deleteUser(app, username, LOCAL_CLI),
    listTokens: (username) => listUserTokens(app, username),
    deleteToken: (username, id) => deleteUserToken(app, { username, id }, LOCAL_CLI),
    async readSettings() {
      const current = await settings.current()
      return mapSettings(SETTING_NAMES, (name) => current[name]) as InstanceSettings
    },
    updateSettings: (changes) => settings.update(changes, LOCAL_CLI),
    readPolicies: () => listPolicies(app),
    updatePolicies: (changes) => updatePolicies(app, UpdatePolicies.parse(changes), LOCAL_CLI),
    readPresets: () => listPresets(app),
    updatePresets: (changes) => updatePresets(app, UpdatePresets.parse(changes), LOCAL_CLI),
    explainPolicy: (username) => explainPolicy(app, username),
    listPluginSettings: () => settings.plugins.list(),
    updatePluginSettings: (changes) => settings.plugins.update(changes, LOCAL_CLI),
    listAudit: (query, page) => audit.list(query, page),
    createSecret: (body) => createSecret(app, body, LOCAL_CLI),
    burnSecret: (id, burnToken) => burnSecret(app, id, { burnToken }, LOCAL_CLI),
  }
}
