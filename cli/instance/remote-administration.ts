/** Administration over the HTTP API, with the API token of an administrator. */

import { createRequest } from '#shared/client/send-request'
import { newClaim } from '#shared/crypto/keys'
import { TAKE_MAX } from '#shared/limits'
import { Access, Tokens } from '#shared/response-schemas/account-responses'
import {
  AuditEntries,
  EndedSessions,
  InstanceSettings,
  ManagedAccount,
  PluginSettings,
  Users,
} from '#shared/response-schemas/admin-responses'
import { ExplainedPolicy, PolicyTable } from '#shared/response-schemas/policies-responses'
import { Presets } from '#shared/response-schemas/presets-responses'
import { connectSignedIn, type ServerFlags } from '../client/connect.js'
import { listLinkAddresses } from '../client/link-base.js'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import type { Administration, UserFacts } from './administration.js'

/** Checks the token first. Throws CliError `denied` unless it belongs to an administrator. */
export async function openRemoteAdministration(flags: ServerFlags & GlobalFlags, io: Io): Promise<Administration> {
  const { client, options, server, credential } = await connectSignedIn(flags, io)
  const { role } = await client.verify()
  if (role !== 'admin') {
    const hint = `the token from ${credential.origin} belongs to a user; use a token of an administrator with the scope admin`
    throw new CliError('denied', 'this token is not an administration token', hint)
  }
  io.note(`using ${server}`)
  const { json: send } = createRequest(options)
  const { limits } = await client.settings()
  const [address = server] = listLinkAddresses(server, flags, io)

  const listUsers: Administration['listUsers'] = (query) =>
    send({ response: Users, method: 'GET', path: `/admin/users${toQuery(query)}` })

  async function findUser(username: string): Promise<UserFacts | null> {
    for (let skip = 0; ; skip += TAKE_MAX) {
      const { users, total } = await listUsers({ search: username, skip, take: TAKE_MAX })
      const found = users.find((user) => user.username === username)
      if (found || skip + users.length >= total || users.length === 0) return found ?? null
    }
  }

  return {
    publicUrl: address.endsWith('/') ? address.slice(0, -1) : address,
    passwordMax: limits.passwordMax,
    listUsers,
    findUser,
    createUser: (body) => send({ response: ManagedAccount, method: 'POST', path: '/admin/users', body }),
    updateUser: (body) => send({ response: ManagedAccount, method: 'PUT', path: '/admin/users', body }),
    endSessions: (username) =>
      send({ response: EndedSessions, method: 'DELETE', path: '/admin/sessions', body: { username } }),
    listAccess: (username) => send({ response: Access, method: 'GET', path: `/admin/access${toQuery({ username })}` }),
    revokeAccess: (body) => send({ method: 'DELETE', path: '/admin/access', body }),
    lockOut: (body) => send({ response: ManagedAccount, method: 'POST', path: '/admin/lock-out', body }),
    resetFactors: (username) =>
      send({ response: ManagedAccount, method: 'POST', path: '/admin/factors/reset', body: { username } }),
    removeUser: (username) => send({ method: 'DELETE', path: '/admin/users', body: { username } }),
    listTokens: (username) => send({ response: Tokens, method: 'GET', path: `/admin/tokens${toQuery({ username })}` }),
    deleteToken: (username, id) => send({ method: 'DELETE', path: '/admin/tokens', body: { username, id } }),
    readSettings: () => send({ response: InstanceSettings, method: 'GET', path: '/admin/settings' }),
    updateSettings: (body) => send({ response: InstanceSettings, method: 'PUT', path: '/admin/settings', body }),
    readPolicies: () => send({ response: PolicyTable, method: 'GET', path: '/admin/policies' }),
    updatePolicies: (body) => send({ response: PolicyTable, method: 'PUT', path: '/admin/policies', body }),
    readPresets: () => send({ response: Presets, method: 'GET', path: '/admin/presets' }),
    updatePresets: (body) => send({ response: Presets, method: 'PUT', path: '/admin/presets', body }),
    explainPolicy: (username) =>
      send({ response: ExplainedPolicy, method: 'GET', path: `/admin/policies/explain${toQuery({ username })}` }),
    listPluginSettings: () => send({ response: PluginSettings, method: 'GET', path: '/admin/settings/plugins' }),
    updatePluginSettings: (body) =>
      send({ response: PluginSettings, method: 'PUT', path: '/admin/settings/plugins', body }),
    listAudit: (query, page) =>
      send({ response: AuditEntries, method: 'GET', path: `/admin/audit${toQuery({ ...query, ...page })}` }),
    createSecret: (body) => client.create(body, newClaim()),
    burnSecret: (id, burnToken) => client.burn(id, { burnToken }),
  }
}

function toQuery(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
