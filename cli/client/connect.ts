/** The client of a command that may be somebody's: with their token, if this server has one. */
import type { Client } from '#shared/client/client'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type Credential, credentialFor, isSameServer } from './credentials.js'
import { connect, serverAddress } from './server-address.js'

export interface ServerFlags {
  server?: string
}

interface Connected {
  client: Client
  server: string
  credential: Credential | null
}

/** `named`: the server of a link; without it the one that was chosen. Throws CliError `usage`. */
export async function connectAs(
  named: string | null | undefined,
  flags: ServerFlags & GlobalFlags,
  io: Io,
): Promise<Connected> {
  const server = named ?? (await serverAddress(flags, io))
  const credential = await credentialFor(server, () => isChosen(server, flags, io), io)
  return { client: connect(server, flags, io, credential?.token), server, credential }
}

/** The same for what only somebody can do. Throws CliError `denied` when there is no token. */
export async function connectSignedIn(flags: ServerFlags & GlobalFlags, io: Io) {
  const { client, server, credential } = await connectAs(null, flags, io)
  if (credential) return { client, server, credential }
  throw new CliError('denied', 'not signed in', 'use `mayfly login`, or set MAYFLY_TOKEN')
}

/** A link may lead anywhere; a token that a variable holds goes where the user said it belongs. */
async function isChosen(server: string, flags: ServerFlags & GlobalFlags, io: Io): Promise<boolean> {
  try {
    return isSameServer(server, await serverAddress(flags, io))
  } catch (error) {
    if (error instanceof CliError) return false
    throw error
  }
}
