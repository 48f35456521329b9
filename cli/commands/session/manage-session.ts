/** `mayfly login`, `logout` and `whoami`. */
import { ApiError, type Client } from '#shared/client/client'
import { createRequest } from '#shared/client/send-request'
import { formatPolicyValue } from '#shared/policies'
import { UploadUsage } from '#shared/response-schemas/account-responses'
import { getProfileName, parseClientValue, readClientConfig, writeClientConfig } from '../../client/client-config.js'
import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { isSameServer, parseToken, prepareTokenFile, readStoredToken, storeToken } from '../../client/credentials.js'
import { buildClientOptions, createServerClient, resolveServer } from '../../client/server-client.js'
import { CliError } from '../../lib/cli-error.js'
import { formatBytes } from '../../output/format-bytes.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { type DeviceLoginFlags, logInByDevice } from './device-login.js'

export interface LoginFlags extends ServerFlags, Pick<DeviceLoginFlags, 'browser'> {
  tokenStdin?: true
}

const TOKEN_MAX_BYTES = 1024

/** Stores a token: a new one after approval in a browser, or one from stdin that the server accepts. */
export async function logIn([named]: string[], flags: LoginFlags & GlobalFlags, io: Io): Promise<void> {
  if (named !== undefined && flags.server !== undefined)
    throw new CliError('usage', 'more than one server', 'pass the URL or --server, not both')
  const server = named ?? (await resolveServer(flags, io))
  await prepareTokenFile(io)
  const token = flags.tokenStdin ? await readTokenFromStdin(io) : await createToken(server, flags, io)
  const { username, generated } = await createServerClient(server, flags, io, token).verify()
  if (flags.tokenStdin) await storeToken(server, token, io)
  io.note(`signed in as ${username}`)
  if (generated && !flags.tokenStdin) io.note('an administrator set this password; change it on the account page')
  if ((named ?? flags.server) !== undefined) await rememberServer(server, flags, io)
  if (flags.json) await io.writeJson({ server, username })
}

/** Makes the server the default of later commands, unless there is one. */
async function rememberServer(server: string, flags: LoginFlags & GlobalFlags, io: Io): Promise<void> {
  const isProfile = getProfileName(flags, io) !== null
  const known = isProfile ? undefined : readClientConfig(flags, io).server
  if (known === undefined) {
    await writeClientConfig({ server: parseClientValue('server', server) }, flags, io)
    io.note(`commands use ${server} now`)
  } else if (!isSameServer(known, server)) {
    io.note(`commands still use ${known}; to change that: mayfly config set server=${server}`)
  }
}

/** Removes the stored token and revokes it if the server is reachable. */
export async function logOut(flags: ServerFlags & GlobalFlags, io: Io): Promise<void> {
  const server = await resolveServer(flags, io)
  const token = await readStoredToken(server, io)
  if (token === null) throw new CliError('denied', 'not signed in to this server')
  await storeToken(server, null, io)
  await revokeToken(createServerClient(server, flags, io, token), token, io)
  io.note('signed out')
  if (flags.json) await io.writeJson({ server })
}

export async function whoAmI(flags: ServerFlags & GlobalFlags, io: Io): Promise<void> {
  const { client, server, credential } = await connectSignedIn(flags, io)
  const { username, role } = await client.verify()
  const settings = await client.settings()
  // Needs the scope `account`, and a server that knows the route.
  const { json } = createRequest(buildClientOptions(server, flags, io, credential.token))
  const uploads = await json({ response: UploadUsage, method: 'GET', path: '/account/usage' }).catch((error) => {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return null
    throw error
  })
  io.note(`at ${server}, token from ${credential.origin}`)
  const { ttl, views } = settings.policy
  io.note(`defaults: --ttl ${formatPolicyValue('defaultTtl', ttl)} --views ${views}`)
  if (uploads) io.note(`uploaded in 24 hours: ${formatUsage(uploads)}`)
  const document = { username, role, server, defaults: { ttl, views }, uploads: uploads && toDocument(uploads) }
  await io.writeResult(flags, document, `${username}\n`)
}

const toDocument = ({ usedBytes, limitBytes, endsAt }: UploadUsage) => ({
  used_bytes: usedBytes,
  limit_bytes: limitBytes,
  ends_at: formatTime(endsAt),
})

const formatUsage = ({ usedBytes, limitBytes }: UploadUsage): string =>
  limitBytes === null ? formatBytes(usedBytes) : `${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}`

async function readTokenFromStdin(io: Io): Promise<string> {
  const bytes = await io.readStdin('the token', TOKEN_MAX_BYTES)
  return parseToken(bytes?.toString('utf8') ?? '', 'stdin')
}

/** Stores a new token at once: it must not be lost if the server stops responding now. */
async function createToken(server: string, flags: LoginFlags & GlobalFlags, io: Io): Promise<string> {
  let token = ''
  await logInByDevice(server, flags, io, async (created) => {
    token = parseToken(created, 'the response of the server')
    await storeToken(server, token, io)
  })
  return token
}

/** Best effort: the token may be gone already, or the server unreachable. */
async function revokeToken(client: Client, token: string, io: Io): Promise<void> {
  const [, id = ''] = token.split('_')
  await client.deleteToken(id).catch((error) => {
    if (error instanceof ApiError && error.status === 401) return
    io.warn('the token was not revoked; delete it on the account page')
  })
}
