/** Administration over the HTTP API, with the API token of an administrator. */

import { createAdminClient, toQuery } from '#shared/client/admin-client'
import { createRequest } from '#shared/client/send-request'
import { newClaim } from '#shared/crypto/keys'
import { TAKE_MAX } from '#shared/limits'
import { Tokens } from '#shared/response-schemas/account-responses'
import { AuditEntries, EndedSessions } from '#shared/response-schemas/admin-responses'
import { ExplainedPolicy } from '#shared/response-schemas/policies-responses'
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

  const admin = createAdminClient(send)

  async function findUser(username: string): Promise<UserFacts | null> {
    for (let skip = 0; ; skip += TAKE_MAX) {
      const { users, total } = await admin.listUsers({ search: username, skip, take: TAKE_MAX })
      const found = users.find((user) => user.username === username)
      if (found || skip + users.length >= total || users.length === 0) return found ?? null
    }
  }

  return {
    publicUrl: address.endsWith('/') ? address.slice(0, -1) : address,
    passwordMax: limits.passwordMax,
    ...admin,
    findUser,
    endSessions: (username) =>
      send({ response: EndedSessions, method: 'DELETE', path: '/admin/sessions', body: { username } }),
    listTokens: (username) => send({ response: Tokens, method: 'GET', path: `/admin/tokens${toQuery({ username })}` }),
    deleteToken: (username, id) => send({ method: 'DELETE', path: '/admin/tokens', body: { username, id } }),
    readPresets: () => send({ response: Presets, method: 'GET', path: '/admin/presets' }),
    updatePresets: (body) => send({ response: Presets, method: 'PUT', path: '/admin/presets', body }),
    explainPolicy: (username) =>
      send({ response: ExplainedPolicy, method: 'GET', path: `/admin/policies/explain${toQuery({ username })}` }),
    listAudit: (query, page) =>
      send({ response: AuditEntries, method: 'GET', path: `/admin/audit${toQuery({ ...query, ...page })}` }),
    createSecret: (body) => client.create(body, newClaim()),
    burnSecret: (id, burnToken) => client.burn(id, { burnToken }),
  }
}
