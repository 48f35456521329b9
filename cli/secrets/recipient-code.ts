/** The code that a named recipient of a secret gets by e-mail. */
import type { SecretExists } from '#shared/api'
import type { ClientOptions } from '#shared/client/client'
import { requestCode } from '#shared/client/request-code'
import { accessProof } from '#shared/crypto/keys'
import { RECIPIENT_CODE_LENGTH } from '#shared/limits'
import { isEmailAddress } from '#shared/recipient-list'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'

export interface CodeFlags {
  email?: string
  code?: string
}

const NEXT_STEP = 'enter it with --code CODE, or with --code - on stdin'

/**
 * Returns the code from --code, or asks for the address and the code on a terminal. With --email alone and no terminal,
 * it requests a code and throws CliError `wrong_password` with the next step. Undefined for a secret without named
 * recipients.
 */
export async function obtainCode(
  { id, codeRequired }: SecretExists,
  flags: CodeFlags,
  { options, linkKey }: { options: ClientOptions; linkKey: Uint8Array | null },
  io: Io,
): Promise<string | undefined> {
  if (!codeRequired) {
    if (flags.email !== undefined || flags.code !== undefined) io.note('this secret needs no code')
    return undefined
  }
  if (flags.code !== undefined) return readCode(flags.code, io)
  if (flags.email === undefined && !io.canPrompt)
    throw new CliError(
      'wrong_password',
      'this secret requires a code',
      'use --email ADDRESS to get one; no view was used',
    )
  const email = (flags.email ?? (await io.promptText('Your e-mail address:', ''))).trim()
  if (!isEmailAddress(email)) throw new CliError('usage', '--email must be an e-mail address')
  await requestCode(options, id, { email, ...(linkKey && { access: accessProof(linkKey) }) })
  io.note('if the secret is for this address, a code is on its way; it works once, for 10 minutes')
  if (!io.canPrompt) throw new CliError('wrong_password', 'waiting for the code', `${NEXT_STEP}; no view was used`)
  return parseCode(await io.promptText('Code from the e-mail:', ''))
}

async function readCode(given: string, io: Io): Promise<string> {
  if (given !== '-') return parseCode(given)
  const bytes = await io.readStdin('the code', 64)
  return parseCode(bytes === null ? '' : bytes.toString())
}

/** Spaces are ignored. */
function parseCode(text: string): string {
  const code = text.replace(/\s/g, '')
  if (code.length !== RECIPIENT_CODE_LENGTH || !/^\d+$/.test(code))
    throw new CliError('usage', `the code has ${RECIPIENT_CODE_LENGTH} digits`)
  return code
}
