/** `mayfly secret burn`. */
import { readFile } from 'node:fs/promises'
import { accessProof } from '#shared/crypto/keys'
import { isRawId } from '#shared/link'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

export interface BurnFlags {
  server?: string
  burnTokenFile?: string
}

const BURN_TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Needs the link with its key, the burn token, or the account that created the secret. Throws LinkError, CliError or ApiError. */
export async function burnSecret(word: string | undefined, flags: BurnFlags & GlobalFlags, io: Io): Promise<void> {
  const burnToken = flags.burnTokenFile === undefined ? undefined : await readBurnToken(flags.burnTokenFile, io)
  const { server, id, linkKey } = await resolveLink(word, undefined, io)
  const { client, credential } = await connectToServer(server, flags, io)
  if (!burnToken && !linkKey && !isRawId(id) && !credential) {
    const hint = 'pass the link with its key, use --burn-token-file, or sign in as its creator'
    throw new CliError('usage', 'cannot burn a secret without its key', hint)
  }
  if (!flags.yes && io.canPrompt && !(await io.confirm('Burn this secret? It cannot be opened afterwards.', false))) {
    throw new CliError('interrupted', 'not burned')
  }
  const proof = burnToken ? { burnToken } : linkKey ? { access: accessProof(linkKey) } : {}
  const result = await client.burn(id, proof)
  if (flags.json) await io.write(`${JSON.stringify(result)}\n`)
  io.note('burned')
}

async function readBurnToken(file: string, io: Io): Promise<string> {
  const text = await readFile(resolvePath(io, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read --burn-token-file: ${error.code}`)
  })
  if (!BURN_TOKEN.test(text.trim())) throw new CliError('usage', '--burn-token-file contains no burn token')
  return text.trim()
}
