/** `mayfly request close`: with the collect link, or as the owner. */
import { createRequestClient } from '#shared/client/request-client'
import { deriveCollectKeys } from '#shared/crypto/request-keys'
import { parseCollectLink } from '#shared/parse-links'
import { isRequestId } from '#shared/request-link'
import { connectSignedIn, connectToServer, type ServerFlags } from '../../client/connect.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { parsePasted, readLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

export interface RequestCloseFlags extends ServerFlags {}

type Flags = RequestCloseFlags & GlobalFlags

/** Throws LinkError, CliError or ApiError. */
export async function closeRequest(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  const text = await readLink(word, io)
  const close = isRequestId(text) ? await closeAsOwner(text, flags, io) : await closeWithLink(text, flags, io)
  const refusal = new CliError('interrupted', 'not closed')
  await io.requireConfirmation('Unopened submissions are burned. Close the request?', true, flags, refusal)
  const next = () => 'run it again: "not found" then means that it is closed'
  const id = await explainUnknownOutcome(close(), 'the request was closed', next)
  if (flags.json) await io.writeJson({ id, closed: true })
  io.note('closed: unopened submissions are burned')
}

async function closeAsOwner(id: string, flags: Flags, io: Io): Promise<() => Promise<string>> {
  const { options } = await connectSignedIn(flags, io)
  return async () => {
    await createRequestClient(options).close(id)
    return id
  }
}

async function closeWithLink(link: string, flags: Flags, io: Io): Promise<() => Promise<string>> {
  const { base, id, requestKey } = parsePasted(link, parseCollectLink, io)
  const { options } = await connectToServer(base, flags, io)
  return async () => {
    await createRequestClient(options).close(id, deriveCollectKeys(requestKey).collectProof)
    return id
  }
}
