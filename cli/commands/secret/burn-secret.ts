/** `mayfly secret burn`. */
import { accessProof } from '#shared/crypto/keys'
import { isRawId } from '#shared/link'
import { connectToServer } from '../../client/connect.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { readBurnToken } from '../../secrets/burn-token.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

const USED_HINT =
  'files of an opened secret can be downloaded for some minutes; to end that, use --burn-token-file or sign in as its creator'

export interface BurnFlags {
  server?: string
  burnTokenFile?: string
}

/**
 * Needs the link with its key, the burn token, or the account that created the secret. Throws LinkError, CliError or
 * ApiError.
 */
export async function burnSecret(word: string | undefined, flags: BurnFlags & GlobalFlags, io: Io): Promise<void> {
  const burnToken = flags.burnTokenFile === undefined ? undefined : await readBurnToken(flags.burnTokenFile, io)
  const { server, id, linkKey } = await resolveLink(word, undefined, io)
  const { client, credential } = await connectToServer(server, flags, io)
  if (!burnToken && !linkKey && !isRawId(id) && !credential) {
    const hint = 'pass the link with its key, use --burn-token-file, or sign in as its creator'
    throw new CliError('usage', 'cannot burn a secret without its key', hint)
  }
  const refusal = new CliError('interrupted', 'not burned')
  await io.requireConfirmation('Burn this secret? It cannot be opened afterwards.', false, flags, refusal)
  const proof = burnToken ? { burnToken } : linkKey ? { access: accessProof(linkKey) } : {}
  const next = () => 'run it again: "not found" then means that it is gone'
  const burning = client.burn(id, proof).catch((error) => {
    if (burnToken || credential || !isNotFound(error)) throw error
    throw new CliError(
      'gone',
      'not found: the secret was opened, burned, has expired or cannot be opened from this address',
      USED_HINT,
    )
  })
  const result = await explainUnknownOutcome(burning, 'the secret was burned', next)
  if (flags.json) await io.writeJson(result)
  io.note('burned')
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'secret.not_found'
