/** The client of a command that may be somebody's: with their token, if this server has one. */
import type { Client } from '#shared/client/client'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type Credential, findCredential, isSameServer } from './credentials.js'
import { createServerClient, resolveServer } from './server-client.js'

export interface ServerFlags {
  server?: string
}

interface Connected {
  client: Client
  server: string
  credential: Credential | null
}

/** `named`: the server of a link; without it the one that was chosen. Throws CliError `usage`. */
export async function connectToServer(
  named: string | null | undefined,
  flags: ServerFlags & GlobalFlags,
  io: Io,
): Promise<Connected> {
  const server = named ?? (await resolveServer(flags, io))
  const credential = await findCredential(server, () => isChosenServer(server, flags, io), io)
  return { client: createServerClient(server, flags, io, credential?.token), server, credential }
}

/** The same for what only somebody can do. Throws CliError `denied` when there is no token. */
export async function connectSignedIn(flags: ServerFlags & GlobalFlags, io: Io) {
  const { client, server, credential } = await connectToServer(null, flags, io)
  if (credential) return { client, server, credential }
  throw new CliError('denied', 'not signed in', 'use `mayfly login`, or set MAYFLY_TOKEN')
}

/** A link may lead anywhere; a token that a variable holds goes where the user said it belongs. */
async function isChosenServer(server: string, flags: ServerFlags & GlobalFlags, io: Io): Promise<boolean> {
  try {
    return isSameServer(server, await resolveServer(flags, io))
  } catch (error) {
    if (error instanceof CliError) return false
    throw error
  }
}
