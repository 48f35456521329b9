/** `mayfly secret wait`: peeks, which uses no view, until the secret is gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client } from '#shared/client/client'
import { accessProof } from '#shared/crypto/keys'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { peekSecret } from '../../secrets/open-secret.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

export interface WaitFlags {
  keyFile?: string
  for?: string
}

/** First and longest pause between two peeks. A few peeks a minute stay far below the rate limits. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 10_000

/**
 * Throws LinkError, ApiError, or CliError: `gone` if the secret doesn't exist at the start, `unavailable` after the
 * timeout.
 */
export async function waitForSecret(word: string | undefined, flags: WaitFlags & GlobalFlags, io: Io): Promise<void> {
  const until =
    flags.for === undefined ? Number.POSITIVE_INFINITY : Date.now() + parseDuration('--for', flags.for) * 1000
  const address = await resolveLink(word, flags.keyFile, io)
  const { client } = await connectToServer(address.server, flags, io)
  const { found, linkKey } = await peekSecret(client, address, io)
  const proof = linkKey ? accessProof(linkKey) : undefined
  let pause = FIRST_PAUSE_MS
  while (await secretExists(client, found.id, proof)) {
    if (Date.now() >= until) throw new CliError('unavailable', 'the secret still exists', 'wait again, or burn it')
    await sleep(Math.min(pause, Math.max(until - Date.now(), 0)))
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }
  if (flags.json) await io.write(`${JSON.stringify({ id: found.id, gone: true })}\n`)
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
