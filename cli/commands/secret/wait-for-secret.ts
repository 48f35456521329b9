/** `mayfly secret wait`: peeks, which uses no view, until the secret is gone. */
import { ApiError, type Client } from '#shared/client/client'
import { accessProof } from '#shared/crypto/keys'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { createPauses } from '../../lib/pauses.js'
import { parseDeadline } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { peekSecret } from '../../secrets/open-secret.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

export interface WaitFlags {
  keyFile?: string
  for?: string
}

/**
 * Throws LinkError, ApiError, or CliError: `gone` if the secret doesn't exist at the start, `unavailable` after the
 * timeout.
 */
export async function waitForSecret(word: string | undefined, flags: WaitFlags & GlobalFlags, io: Io): Promise<void> {
  const until = parseDeadline('--for', flags.for)
  const address = await resolveLink(word, flags.keyFile, io)
  const { client } = await connectToServer(address.server, flags, io)
  const { found, linkKey } = await peekSecret(client, address, io)
  const proof = linkKey ? accessProof(linkKey) : undefined
  const pause = createPauses(until)
  while (await secretExists(client, found.id, proof)) {
    if (Date.now() >= until) throw new CliError('unavailable', 'the secret still exists', 'wait again, or burn it')
    await pause()
  }
  if (flags.json) await io.writeJson({ id: found.id, gone: true })
  io.note('gone')
}

async function secretExists(client: Client, id: string, proof: string | undefined): Promise<boolean> {
  try {
    await client.peek(id, proof)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'secret.not_found') return false
    throw error
  }
}
