/** Connects to a server, with the user's token for it if there is one. */
import { type Client, type ClientOptions, createClient } from '#shared/client/client'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type Credential, findCredential, isSameServer } from './credentials.js'
import { createTokenFallback } from './invalid-token.js'
import { buildClientOptions, resolveServer, type ServerFlags } from './server-client.js'

export type { ServerFlags }

interface Connected {
  client: Client
  /** Of the client, for clients of other routes. */
  options: ClientOptions
  server: string
  credential: Credential | null
}

/** `named`: the server of a link. Default: --server, MAYFLY_SERVER or the config file. Throws CliError `usage`. */
export async function connectToServer(
  named: string | null | undefined,
  flags: ServerFlags & GlobalFlags,
  io: Io,
): Promise<Connected> {
  const server = named ?? (await resolveServer(flags, io))
  const credential = await findCredential(server, () => isChosenServer(server, flags, io), io)
  const built = buildClientOptions(server, flags, io, credential?.token)
  const options = named && credential ? withTokenFallback(built, credential, io) : built
  return { client: createClient(options), options, server, credential }
}

/** Links need no account, so a token that is not valid any more must not stop them. */
function withTokenFallback(options: ClientOptions, { origin }: Credential, io: Io): ClientOptions {
  const onRefused = () =>
    io.warnOnce(
      `the server does not accept the token of ${origin}; going on without it. Remove it, or create a new token`,
    )
  return options.fetch ? { ...options, fetch: createTokenFallback(options.fetch, onRefused) } : options
}

/** Like `connectToServer`. Throws CliError `denied` without a token. */
export async function connectSignedIn(flags: ServerFlags & GlobalFlags, io: Io) {
  const connected = await connectToServer(null, flags, io)
  const { credential } = connected
  if (credential) return { ...connected, credential }
  throw new CliError('denied', 'not signed in', 'run `mayfly login`, or set MAYFLY_TOKEN')
}

/** A link may point to any server. A token from a variable is sent to the configured server only. */
async function isChosenServer(server: string, flags: ServerFlags & GlobalFlags, io: Io): Promise<boolean> {
  try {
    return isSameServer(server, await resolveServer(flags, io))
  } catch (error) {
    if (error instanceof CliError) return false
    throw error
  }
}
