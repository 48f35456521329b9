/** Administration of the instance of this machine, with the services of the server. The audit log records `(shell)`. */
import { LOCAL_CLI } from '#core/runtime'
import { CreateUser } from '#shared/api'
import { type InstanceSettings, mapSettings, SETTING_NAMES } from '#shared/instance-settings'
import type { Administration } from './administration.js'
import type { LocalApp } from './local-app.js'

export function toLocalAdministration({ services, storage, publicUrl, passwordMax }: LocalApp): Administration {
  const { admin, settings, pluginSettings, secrets, audit } = services
  return {
    publicUrl,
    passwordMax,
    listUsers: (query) => admin.list(query),
    findUser: (username) => storage.users.find(username),
    createUser: (user) => admin.create(CreateUser.parse(user), LOCAL_CLI),
    updateUser: (changes) => admin.update(changes, LOCAL_CLI),
    removeUser: (username) => admin.remove(username, LOCAL_CLI),
    listTokens: (username) => admin.listTokens(username),
    deleteToken: (username, id) => admin.deleteToken({ username, id }, LOCAL_CLI),
    async readSettings() {
      const current = await settings.current()
      return mapSettings(SETTING_NAMES, (name) => current[name]) as InstanceSettings
    },
    updateSettings: (changes) => settings.update(changes, LOCAL_CLI),
    listPluginSettings: () => pluginSettings.list(),
    updatePluginSettings: (changes) => pluginSettings.update(changes, LOCAL_CLI),
    listAudit: (query, page) => audit.list(query, page),
    createSecret: (body) => secrets.create(body, LOCAL_CLI),
    burnSecret: (id, burnToken) => secrets.burn(id, { burnToken }, LOCAL_CLI),
  }
}
